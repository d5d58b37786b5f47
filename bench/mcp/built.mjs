// The command line as it is published: the built code, whatever the clone would run. Plain JavaScript, so that nothing
// has to be stripped first.

const { main } = await import(new URL('../../dist/cli/main.js', import.meta.url).href);
await main();
