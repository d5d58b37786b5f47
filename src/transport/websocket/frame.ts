// WebSocket frames (RFC 6455, section 5), the part a server without extensions needs: bytes → checked frames, and
// payloads → unmasked frames. Strict: whatever the RFC forbids ends the connection with the code it names.

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export const CLOSE = {
  normal: 1000,
  away: 1001,
  protocol: 1002,
  unsupported: 1003,
  data: 1007,
  policy: 1008,
  large: 1009,
  busy: 1013,
};

export interface Frame {
  readonly final: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Ends the connection with a close code. */
export class FrameError extends Error {
  readonly closeCode: number;

  constructor(closeCode: number, message: string) {
    super(message);
    this.closeCode = closeCode;
  }
}

const MAX_CONTROL_BYTES = 125;
const SHORT = 126;
const LONG = 127;

export interface FrameReader {
  /** Throws FrameError. */
  push(chunk: Buffer): Frame[];
}

export function createFrameReader(maxPayload: number): FrameReader {
  let parts: Buffer[] = [];
  let size = 0;
  let needed = 2;
  return {
    push(chunk) {
      parts.push(chunk);
      size += chunk.length;
      if (size < needed) return [];
      let bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      const frames: Frame[] = [];
      for (;;) {
        const header = readHeader(bytes, maxPayload);
        if (typeof header === 'number' || bytes.length < header.end) {
          needed = typeof header === 'number' ? header : header.end;
          break;
        }
        frames.push(unmask(bytes, header));
        bytes = bytes.subarray(header.end);
      }
      parts = bytes.length > 0 ? [bytes] : [];
      size = bytes.length;
      return frames;
    },
  };
}

interface Header {
  readonly final: boolean;
  readonly opcode: number;
  readonly maskAt: number;
  readonly end: number;
}

/** A number is how many bytes there must be to know more. */
function readHeader(bytes: Buffer, maxPayload: number): Header | number {
  if (bytes.length < 2) return 2;
  const first = bytes[0]!;
  const second = bytes[1]!;
  const opcode = first & 0x0f;
  const final = (first & 0x80) !== 0;
  if ((first & 0x70) !== 0) throw new FrameError(CLOSE.protocol, 'Reserved bits are set');
  if ((second & 0x80) === 0) throw new FrameError(CLOSE.protocol, 'Frame is not masked');
  const control = opcode >= OPCODE.close;
  if (opcode > OPCODE.pong || (opcode > OPCODE.binary && !control)) {
    throw new FrameError(CLOSE.protocol, 'Unknown opcode');
  }
  const short = second & 0x7f;
  if (control && (!final || short > MAX_CONTROL_BYTES))
    throw new FrameError(CLOSE.protocol, 'Bad control frame');
  const maskAt = short === LONG ? 10 : short === SHORT ? 4 : 2;
  if (bytes.length < maskAt + 4) return maskAt + 4;
  const length = readLength(bytes, short);
  if (length > maxPayload) throw new FrameError(CLOSE.large, 'Message is too large');
  return { final, opcode, maskAt, end: maskAt + 4 + length };
}

function readLength(bytes: Buffer, short: number): number {
  if (short < SHORT) return short;
  const length =
    short === SHORT ? bytes.readUInt16BE(2) : bytes.readUInt32BE(2) * 2 ** 32 + bytes.readUInt32BE(6);
  if (length < (short === SHORT ? SHORT : 2 ** 16))
    throw new FrameError(CLOSE.protocol, 'Length is not minimal');
  return length;
}

function unmask(bytes: Buffer, { final, opcode, maskAt, end }: Header): Frame {
  const payload = Buffer.from(bytes.subarray(maskAt + 4, end));
  for (let at = 0; at < payload.length; at += 1) payload[at] = payload[at]! ^ bytes[maskAt + (at & 3)]!;
  return { final, opcode, payload };
}

export function writeFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = length < SHORT ? 2 : length < 2 ** 16 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = 0x80 | opcode;
  if (head === 2) frame[1] = length;
  else if (head === 4) {
    frame[1] = SHORT;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LONG;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  payload.copy(frame, head);
  return frame;
}

export function closeFrame(code: number, reason = ''): Buffer {
  const text = Buffer.from(reason).subarray(0, MAX_CONTROL_BYTES - 2);
  const payload = Buffer.allocUnsafe(2 + text.length);
  payload.writeUInt16BE(code, 0);
  text.copy(payload, 2);
  return writeFrame(OPCODE.close, payload);
}
