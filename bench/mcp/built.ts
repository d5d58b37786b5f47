// The command line as it is published: the built code, whatever the clone would run.

const { main } = (await import(
  new URL('../../dist/cli/main.js', import.meta.url).href
)) as typeof import('../../src/cli/main.ts');
await main();
