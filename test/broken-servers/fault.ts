// What a transport around the small server can be made to do wrong.

import type { GuardFault } from './guard.ts';

export interface HttpFault {
  readonly anyOrigin?: boolean;
  readonly anyHost?: boolean;
  readonly notificationStatus?: number;
  readonly anyMediaType?: boolean;
  /** Status of GET, where it is not an event stream. */
  readonly getStatus?: number;
  readonly sessionId?: (count: number) => string;
  readonly anyPrincipal?: boolean;
  readonly missingSessionStatus?: number;
  readonly forgetNothing?: boolean;
  readonly broadcast?: boolean;
  readonly streamWithoutHint?: boolean;
  readonly streamStaysOpen?: boolean;
  /** Replays events of all streams. */
  readonly replaysAll?: boolean;
  /** Gives event ids that start anew with every stream. */
  readonly sameEventIds?: boolean;
  readonly disconnectCancels?: boolean;
  readonly endlessBody?: boolean;
  readonly anyVersionHeader?: boolean;
  readonly contentType?: string;
  readonly anyHeaders?: boolean;
  readonly namesNotDecoded?: boolean;
  readonly anyParameterHeaders?: boolean;
  readonly alwaysSession?: boolean;
  readonly removedStatus?: number;
  readonly lateEndpoint?: boolean;
  readonly unauthorized?: string;
  /** Asks for authorization. */
  readonly guard?: GuardFault;
  readonly noRateLimit?: boolean;
  readonly noSubprotocol?: boolean;
}

export interface StdioFault {
  /** Bytes printed to stdout at start. */
  readonly greeting?: string | Uint8Array;
  readonly indent?: boolean;
  readonly staysAlive?: boolean;
  readonly diesOnBlankLine?: boolean;
  readonly diesOnGarbage?: boolean;
  readonly maxLine?: number;
}
