// What a benched server tells its driver: its port at the start, its processor time and memory when asked.

export function report(port: number): void {
  process.send?.({ port });
  process.on('message', (what) => {
    if (what === 'exit') process.exit(0);
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system, rssMb: Math.round(process.memoryUsage.rss() / 1e6) });
  });
}
