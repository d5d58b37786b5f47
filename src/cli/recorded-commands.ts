// Which commands leave a line in the audit log, and what it calls them. Those that only look are not here.

export interface RecordedCommand {
  readonly action: string;
  /** What the first argument names. */
  readonly of?: 'component';
}

export const RECORDED: ReadonlyMap<string, RecordedCommand> = new Map<string, RecordedCommand>([
  ['component load', { action: 'component.loaded' }],
  ['component unload', { action: 'component.unloaded', of: 'component' }],
  ['permission grant', { action: 'permission.granted', of: 'component' }],
  ['permission revoke', { action: 'permission.revoked', of: 'component' }],
  ['permission reset', { action: 'permission.reset', of: 'component' }],
  ['policy set', { action: 'policy.set', of: 'component' }],
  ['key create', { action: 'key.created' }],
  ['key revoke', { action: 'key.revoked' }],
  ['secret set', { action: 'secret.set', of: 'component' }],
  ['secret delete', { action: 'secret.deleted', of: 'component' }],
  ['secret rekey', { action: 'secret.rekeyed' }],
]);
