// A strict reader of Prometheus' text format, written from its grammar and sharing nothing with what writes it. Refuses
// what a scraper would refuse or drop: samples without a type, families in pieces, series twice, odd histograms.

import assert from 'node:assert/strict';

export interface Family {
  readonly type: string;
  readonly help: string;
  /** By sample name and labels in order, as `name{a="x"}`. */
  readonly samples: Map<string, number>;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|(?=\}))/;
const SUFFIX = /_(bucket|sum|count)$/;

export function parseExposition(text: string): Map<string, Family> {
  assert.ok(text === '' || text.endsWith('\n'), 'The last line ends');
  const families = new Map<string, Family>();
  let current = { name: '', help: '' };
  for (const line of text.split('\n').slice(0, -1)) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      assert.ok(!families.has(name), `${name} is in one piece`);
      current = { name, help: rest };
    } else if (keyword === 'TYPE') {
      assert.equal(current.name, name, 'TYPE follows HELP');
      assert.match(rest, /^(counter|gauge|histogram)$/);
      families.set(name, { type: rest, help: current.help, samples: new Map() });
    } else readSample(line, families, current.name);
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkHistogram(name, family);
  return families;
}

function readSample(line: string, families: Map<string, Family>, current: string): void {
  const name = NAME.exec(line)?.[0] ?? assert.fail(`Not a sample: ${line}`);
  const family = families.get(current);
  assert.ok(family, `${name} has a type`);
  assert.equal(family.type === 'histogram' ? name.replace(SUFFIX, '') : name, current, 'its family');
  let rest = line.slice(name.length);
  const labels = new Map<string, string>();
  if (rest.startsWith('{')) {
    rest = rest.slice(1);
    while (!rest.startsWith('}')) {
      const [all, label = '', value = ''] = LABEL.exec(rest) ?? assert.fail(`Not a label: ${rest}`);
      assert.ok(!labels.has(label), `${label} once`);
      labels.set(label, value);
      rest = rest.slice(all.length);
    }
    rest = rest.slice(1);
  }
  const value = /^ ([+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/.exec(rest)?.[1];
  assert.ok(value !== undefined, `A value, not ${rest}`);
  const key = `${name}{${[...labels].map(([label, text]) => `${label}="${text}"`).join(',')}}`;
  assert.ok(!family.samples.has(key), `${key} once`);
  family.samples.set(key, Number(value.replace('Inf', 'Infinity')));
}

/** Buckets never shrink, the last one is +Inf and is the count. */
function checkHistogram(name: string, { samples }: Family): void {
  const last = new Map<string, { bound: number; value: number }>();
  for (const [key, value] of samples) {
    const [, labels = '', le] = /^\w+_bucket\{(.*?),?le="(.*)"\}$/.exec(key) ?? [];
    if (le === undefined) continue;
    const bound = Number(le.replace('Inf', 'Infinity'));
    const before = last.get(labels) ?? { bound: Number.NEGATIVE_INFINITY, value: 0 };
    assert.ok(bound > before.bound && value >= before.value, `${key} grows`);
    last.set(labels, { bound, value });
  }
  for (const [labels, { bound, value }] of last) {
    assert.equal(bound, Number.POSITIVE_INFINITY);
    assert.equal(samples.get(`${name}_count{${labels}}`), value);
    assert.ok(samples.has(`${name}_sum{${labels}}`));
  }
}
