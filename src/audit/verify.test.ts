// Every way to harm a log that its reader must see, on real files: each line, each border, the end, the whole.

import assert from 'node:assert/strict';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder, writeSampleLog } from '../../test/crash/sample-log.ts';
import { chain, hashOf } from './line.ts';
import { type Verdict, verify } from './verify.ts';

interface Harm {
  readonly files: readonly string[];
  read(file: string): Promise<string[]>;
  write(file: string, lines: readonly string[]): Promise<void>;
  verify(expect?: string): Promise<Verdict>;
  readonly directory: string;
}

/** Three files with about ten lines each; a fresh copy for each harm. */
async function createLog(t: TestContext): Promise<() => Promise<Harm>> {
  const original = await temporaryFolder(t);
  await writeSampleLog(
    original,
    Array.from({ length: 29 }, (_, i) => ({ target: `tool-${i}` })),
    {
      rotateBytes: 4_800,
    },
  );
  const names = (await readdir(original)).filter((name) => name.endsWith('.jsonl')).sort();
  assert.ok(names.length >= 3, `${names.length}`);
  return async () => {
    const directory = await temporaryFolder(t);
    await cp(original, directory, { recursive: true });
    return {
      directory,
      files: names,
      read: async (file) => (await readFile(join(directory, file), 'utf8')).trimEnd().split('\n'),
      write: (file, lines) => writeFile(join(directory, file), lines.map((line) => `${line}\n`).join('')),
      verify: (expect) => verify(directory, expect),
    };
  };
}

test('a log as it was written has no fault', async (t) => {
  const log = await (await createLog(t))();
  const verdict = await log.verify();
  assert.deepEqual([verdict.faults, verdict.first, verdict.last, verdict.lines], [[], 1, 30, 30]);
});

test('each line that is changed is found, in whatever file, the last one too', async (t) => {
  const fresh = await createLog(t);
  const { files, read } = await fresh();
  for (const file of files) {
    for (const [at, line] of (await read(file)).entries()) {
      const log = await fresh();
      const lines = await log.read(file);
      lines[at] = line.replace('"outcome":"ok"', '"outcome":"no"');
      assert.notEqual(lines[at], line);
      await log.write(file, lines);
      const { faults } = await log.verify();
      assert.ok(
        faults.some(({ problem }) => /another hash/.test(problem)),
        `${file}:${at + 1} ${JSON.stringify(faults)}`,
      );
    }
  }
});

test('each line that is removed or said twice is found, at the borders of files too', async (t) => {
  const fresh = await createLog(t);
  const { files, read } = await fresh();
  for (const file of files) {
    for (const [at, line] of (await read(file)).entries()) {
      for (const instead of [[], [line, line]]) {
        const log = await fresh();
        await log.write(file, (await log.read(file)).toSpliced(at, 1, ...instead));
        assert.equal((await log.verify()).ok, false, `${file}:${at + 1}`);
      }
    }
  }
});

test('lines that changed places are found, within a file and across', async (t) => {
  const fresh = await createLog(t);
  const log = await fresh();
  const [first, second] = log.files as [string, string];
  const lines = await log.read(first);
  [lines[3], lines[4]] = [lines[4]!, lines[3]!];
  await log.write(first, lines);
  assert.ok((await log.verify()).faults.some(({ problem }) => /order/.test(problem)));

  const across = await fresh();
  const [a, b] = [await across.read(first), await across.read(second)];
  await across.write(first, [...a.slice(0, -1), b[0]!]);
  await across.write(second, [a.at(-1)!, ...b.slice(1)]);
  assert.equal((await across.verify()).ok, false);
});

test('a cut end is found by the head, at any line and in the middle of one', async (t) => {
  const fresh = await createLog(t);
  const { files } = await fresh();
  const file = files.at(-1)!;
  for (let kept = (await (await fresh()).read(file)).length - 1; kept >= 0; kept -= 1) {
    const log = await fresh();
    await log.write(file, (await log.read(file)).slice(0, kept));
    assert.match(
      (await log.verify()).faults.at(-1)!.problem,
      /the end was cut off: lines \d+ to 30 are missing/,
    );
  }
  const torn = await fresh();
  const text = await readFile(join(torn.directory, file), 'utf8');
  await writeFile(join(torn.directory, file), text.slice(0, -20));
  const verdict = await torn.verify();
  assert.match(verdict.faults[0]!.problem, /line.* 30/);
  assert.ok(verdict.unfinished > 0);
});

test('a file that is gone or has another name is found', async (t) => {
  const fresh = await createLog(t);
  const { files } = await fresh();
  const problems = [
    /no line says that rotation removed them/,
    /are missing in front of/,
    /the end was cut off/,
  ];
  for (const [file, problem] of [
    [files[0]!, problems[0]!],
    [files[1]!, problems[1]!],
    [files.at(-1)!, problems[2]!],
  ] as const) {
    const log = await fresh();
    await rm(join(log.directory, file));
    assert.match((await log.verify()).faults[0]!.problem, problem);
  }
  const renamed = await fresh();
  await rename(
    join(renamed.directory, files[1]!),
    join(
      renamed.directory,
      files[1]!.replace(/\d\.jsonl/, (end) => `${(Number(end[0]) + 1) % 10}.jsonl`),
    ),
  );
  assert.match((await renamed.verify()).faults[0]!.problem, /named for line/);
});

test('what is no line of a log is a fault, and costs no memory however long it is', async (t) => {
  const log = await (await createLog(t))();
  const lines = await log.read(log.files[1]!);
  await log.write(log.files[1]!, [...lines.slice(0, 2), 'x'.repeat(8 << 20), 'null', ...lines.slice(2)]);
  const { faults } = await log.verify();
  assert.deepEqual(
    faults.map(({ line }) => line),
    [3, 4],
  );
});

test('a call whose target looks like a removal does not excuse missing lines', async (t) => {
  const directory = await temporaryFolder(t);
  const action = '"action":"audit.removed"';
  await writeSampleLog(directory, [{}, { target: action }, { action: 'audit.removed', target: action }]);
  const [name] = (await readdir(directory)).filter((one) => one.endsWith('.jsonl'));
  const lines = (await readFile(join(directory, name!), 'utf8')).trimEnd().split('\n');
  await rm(join(directory, name!));
  await writeFile(join(directory, name!.replace('1.jsonl', '2.jsonl')), `${lines.slice(1).join('\n')}\n`);
  assert.match((await verify(directory)).faults[0]!.problem, /no line says/);
});

test('a log that was made anew fits in itself, and not to a hash that was noted elsewhere', async (t) => {
  const log = await (await createLog(t))();
  const { hash } = await log.verify();
  assert.equal((await log.verify(hash)).ok, true);
  const early = hashOf((await log.read(log.files[0]!))[4]!);
  assert.equal((await log.verify(early)).ok, true);

  let link = { sequence: 0, hash: '0'.repeat(64) };
  for (const file of log.files) {
    const lines = (await log.read(file)).map((line) => {
      const body = line.replace('"key:ci"', '"key:other"').slice(line.indexOf('"time"'));
      const next = chain(link, body);
      link = next.link;
      return next.text;
    });
    await log.write(file, lines);
  }
  await writeFile(join(log.directory, 'head.json'), JSON.stringify({ format: 1, ...link }));
  assert.equal((await log.verify()).ok, true, 'whoever writes everything can make a log that fits');
  for (const noted of [hash, early])
    assert.match((await log.verify(noted)).faults[0]!.problem, /no line has the expected hash/);
});
