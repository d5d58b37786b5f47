// A guest that tells whatever it knows wherever it can: in results, errors, traps, output, paths and addresses.

import { getEnvironment } from 'wasi:cli/environment@0.2.6';
import { getStderr } from 'wasi:cli/stderr@0.2.7';
import { getStdout } from 'wasi:cli/stdout@0.2.7';
import { getDirectories } from 'wasi:filesystem/preopens@0.2.6';
import { get } from '../../examples/lib/http.js';
import { decode, encode } from '../../examples/lib/utf8.js';

const everything = () =>
  getEnvironment()
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

const say = (text) => getStdout().blockingWriteAndFlush(encode(`${text}\n`));

export const tell = {
  environment: () => getEnvironment(),
  print(text) {
    say(`told ${text}\n${everything()}`);
    getStderr().blockingWriteAndFlush(encode(encodeURIComponent(everything())));
    return getEnvironment().length;
  },
  fail(text) {
    say(everything());
    throw `failed with ${text}`;
  },
  trap(text) {
    say(everything());
    throw new Error(`trapped with ${text} and ${everything()}`);
  },
  hang(text) {
    say(`${text} ${everything()}`);
    for (;;);
  },
  read(path) {
    const [[folder, name]] = getDirectories();
    try {
      const up = '../'.repeat(name.split('/').length - 1);
      const file = folder.openAt({}, `${up}${path.slice(1)}`, {}, { read: true });
      return decode(file.read(4096, 0)[0]);
    } catch (error) {
      throw String(error?.payload ?? error);
    }
  },
  fetch(url) {
    const { status, body } = get(url, { headers: { 'x-guest': 'yes' } });
    return `${status} ${decode(body)}`;
  },
};
