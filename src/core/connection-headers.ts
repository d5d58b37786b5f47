// Headers that belong to a connection and not to a message. Connections are the host's: a guest may set none of these,
// which is said to it at once in the cell and held again in the broker.

export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
