// What time it is, and sums with time. Plain functions: nothing in here knows of MCP.

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MINUTE = 60_000;

function moment(milliseconds, offset = 0) {
  const local = new Date(milliseconds + offset * MINUTE);
  if (Number.isNaN(local.getTime())) throw 'That is beyond what dates can say';
  const sign = offset < 0 ? '-' : '+';
  const two = (number) => String(number).padStart(2, '0');
  const zone =
    offset === 0 ? 'Z' : `${sign}${two(Math.trunc(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return {
    iso: local.toISOString().replace(/\.\d+Z$/, zone),
    unix: Math.floor(milliseconds / 1_000),
    weekday: WEEKDAYS[local.getUTCDay()],
  };
}

function read(text) {
  const found = Date.parse(text);
  if (Number.isNaN(found)) throw `"${text}" is no date: write it as 2026-07-28 or 2026-07-28T12:00:00Z`;
  return found;
}

export const clock = {
  currentTime: (offset) => moment(Date.now(), offset ?? 0),
  addTime(start, days, hours, minutes) {
    const total = ((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0);
    return moment(read(start) + total * MINUTE);
  },
  timeBetween(from, to) {
    const seconds = Math.round((read(to) - read(from)) / 1_000);
    const days = Math.floor(seconds / 86_400);
    const rest = seconds - days * 86_400;
    return {
      days,
      hours: Math.floor(rest / 3_600),
      minutes: Math.floor((rest % 3_600) / 60),
      seconds: rest % 60,
    };
  },
};
