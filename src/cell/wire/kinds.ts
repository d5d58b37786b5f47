// The kinds of frames, each with its payload. Numbers below 16 go from the broker to the cell, the others back.
// What comes from a cell is read in `from-cell.ts`, where nothing is trusted.

/** Broker → cell. */
export const LOAD = 1; //    value {limits…}, then the component's bytes
export const CALL = 2; //    varint function, varint most output, text session, value beginning, then arguments as JSON
export const CANCEL = 3; //  nothing
export const REPLY = 4; //   varint request, value
export const REFUSE = 5; //  varint request, text code, value detail
export const FORGET = 6; //  text session: its instance ends

/** Cell → broker. */
export const READY = 16; //   nothing
export const LOADED = 17; //  value description
export const UNLOADABLE = 18; // text reason
export const OK = 19; //      the result as JSON
export const ERR = 20; //     the guest's own error as JSON
export const FAILED = 21; //  text what, text message, value detail: misfit, trap, exit, memory, output, cancelled
export const REQUEST = 22; // varint request, text operation, value arguments
export const POST = 23; //    text operation, value arguments
export const STARTED = 24; // nothing: the call begins though others have not ended; they wait within the cell
