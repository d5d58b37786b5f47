import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Revision } from './model.ts';
import { shapeFault } from './shape.ts';

const call = (...content: object[]) => ({ content });
const link = { type: 'resource_link', uri: 'test://a', name: 'a' };
const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
const tool = (more: object) => ({ tools: [{ name: 'a', inputSchema: { type: 'object' }, ...more }] });
const fresh = { resultType: 'complete', ttlMs: 0, cacheScope: 'public' };

type Row = readonly [what: string, method: string, revision: Revision, result: unknown];

describe('a result fits', () => {
  const rows: readonly Row[] = [
    ['audio since 2025-03-26', 'tools/call', '2025-03-26', call(audio)],
    ['resource links since 2025-06-18', 'tools/call', '2025-06-18', call(link)],
    ['any field before it had a meaning', 'tools/list', '2025-03-26', tool({ outputSchema: [], title: 5 })],
    [
      'structured values of any kind in 2026',
      'tools/call',
      '2026-07-28',
      { ...call(), ...fresh, structuredContent: [1] },
    ],
    [
      'a picture of a megabyte',
      'tools/call',
      '2025-11-25',
      call({ type: 'image', data: 'A'.repeat(1 << 20), mimeType: 'image/png' }),
    ],
    [
      'an input-required result',
      'tools/call',
      '2026-07-28',
      { resultType: 'input_required', requestState: 'a' },
    ],
    ['a method without a shape', 'witbox/anything', '2025-11-25', 5],
  ];
  for (const [what, method, revision, result] of rows)
    test(what, () => assert.equal(shapeFault(method, result, revision), null));
});

describe('a result does not fit', () => {
  const rows: readonly (readonly [...Row, RegExp])[] = [
    ['audio in 2024', 'tools/call', '2024-11-05', call(audio), /type must be one of/],
    ['resource links before 2025-06-18', 'tools/call', '2025-03-26', call(link), /type must be one of/],
    ['a text part without text', 'tools/call', '2025-11-25', call({ type: 'text' }), /property "text"/],
    [
      'a structured list in 2025',
      'tools/call',
      '2025-11-25',
      { ...call(), structuredContent: [1] },
      /must be object/,
    ],
    [
      'media that are not base64',
      'tools/call',
      '2025-11-25',
      call({ ...audio, data: '<svg>' }),
      /not base64/,
    ],
    [
      'a blob that is not base64',
      'resources/read',
      '2025-11-25',
      { contents: [{ uri: 'a:b', blob: '%' }] },
      /not base64/,
    ],
    [
      'contents with neither text nor blob',
      'resources/read',
      '2025-11-25',
      { contents: [{ uri: 'a:b' }] },
      /./,
    ],
    [
      'a resource without a scheme',
      'resources/list',
      '2025-11-25',
      { resources: [{ uri: 'a', name: 'a' }] },
      /uri must match/,
    ],
    ['a result without its type in 2026', 'prompts/get', '2026-07-28', { messages: [] }, /"resultType"/],
    [
      'a list without caching hints in 2026',
      'tools/list',
      '2026-07-28',
      { ...tool({}), resultType: 'complete' },
      /"ttlMs"/,
    ],
    [
      'more than a hundred completions',
      'completion/complete',
      '2025-11-25',
      { completion: { values: Array.from({ length: 101 }, () => 'a') } },
      /values/,
    ],
  ];
  for (const [what, method, revision, result, fault] of rows)
    test(what, () => assert.match(shapeFault(method, result, revision) ?? 'fits', fault));
});
