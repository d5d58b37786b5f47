// `https:` references: one download. The id comes from the name of what was asked for, not of where a redirect led.

import { basename } from 'node:path';
import { download, type HttpsOptions, parseUrl, unreadable } from './download.ts';
import type { FetchedComponent } from './source.ts';

export async function fetchHttps(
  source: string,
  maxBytes: number,
  signal?: AbortSignal,
  options?: HttpsOptions,
): Promise<FetchedComponent> {
  const url = parseUrl(source, source);
  const headers = { accept: 'application/wasm, */*' };
  const { status, bytes } = await download({ url: url.href, source, maxBytes, headers, signal, options });
  if (status !== 200) throw unreadable(source, `the server answered ${status}`);
  return { uri: url.href, name: basename(url.pathname), bytes };
}
