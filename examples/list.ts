// The example components: where each comes from and how it is built. JavaScript ones are built from npm alone; those in
// C and WAT are small and committed beside their sources, so that nobody needs their toolchains to run them.

export interface Example {
  /** Of the component, and of its files: `name.wasm`, `name.tools.yaml`, `name.policy.yaml`. */
  readonly name: string;
  /** From the root of the repository. */
  readonly folder: string;
  readonly language: 'js' | 'c' | 'wat';
  /** Served by `npm start`. */
  readonly bundled: boolean;
}

const js = (folder: string, name: string): Example => ({
  name,
  folder: `examples/${folder}`,
  language: 'js',
  bundled: true,
});

export const EXAMPLES: readonly Example[] = [
  { name: 'test-module', folder: 'examples/calculator', language: 'wat', bundled: true },
  { name: 'calculator', folder: 'examples/calculator', language: 'wat', bundled: false },
  js('designs', 'designs'),
  js('wikipedia', 'wikipedia'),
  js('toolbox', 'time'),
  js('toolbox', 'files'),
  js('toolbox', 'fetch'),
  js('toolbox', 'weather'),
  js('toolbox', 'data'),
  { name: 'hash', folder: 'examples/toolbox', language: 'c', bundled: true },
  { name: 'tour', folder: 'examples/tour', language: 'c', bundled: false },
  { ...js('conformance', 'conformance'), bundled: false },
];

export function exampleNamed(name: string): Example {
  const found = EXAMPLES.find((example) => example.name === name);
  if (found === undefined) {
    throw new Error(`No example "${name}", known are ${EXAMPLES.map((one) => one.name).join(', ')}`);
  }
  return found;
}
