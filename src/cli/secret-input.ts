// A secret as a person gives it: typed without being shown, through a pipe, or in a file. Never as an argument, which
// every process of the machine and the history of the shell could read.

import { WitboxError } from '../core/errors.ts';
import type { Io } from './command.ts';
import { readNamedFile } from './read-file.ts';

const MOST_BYTES = 64 << 10;

export async function readSecret(file: string | undefined, question: string, io: Io): Promise<string> {
  if (file !== undefined) return textOf(await readNamedFile(file, MOST_BYTES));
  const terminal = io.stdin as NodeJS.ReadStream;
  return terminal.isTTY ? typed(terminal, question, io) : textOf(await piped(io.stdin));
}

async function piped(stdin: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as string);
    size += bytes.byteLength;
    if (size > MOST_BYTES)
      throw new WitboxError('file-unreadable', {
        file: 'standard input',
        reason: `it has more than ${MOST_BYTES} bytes`,
      });
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Without the end of its last line, which `echo` and editors put there. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/\r?\n$/, '');
}

const [INTERRUPT, END, ERASE_LINE] = ['\u0003', '\u0004', '\u0015'];

function typed(terminal: NodeJS.ReadStream, question: string, io: Io): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const settle = (then: () => void): void => {
      terminal.off('data', take);
      terminal.setRawMode(false);
      terminal.pause();
      io.err('\n');
      then();
    };
    const take = (chunk: string): void => {
      for (const character of chunk) {
        if (character === '\r' || character === '\n' || character === END) {
          settle(() => resolve(text));
          return;
        }
        if (character === INTERRUPT) {
          settle(() => reject(new WitboxError('call-cancelled', { method: 'secret set' })));
          return;
        }
        if (character === ERASE_LINE) text = '';
        else if (character === '\u007f' || character === '\b') text = [...text].slice(0, -1).join('');
        else if (text.length < MOST_BYTES) text += character;
      }
    };
    io.err(question);
    terminal.setRawMode(true);
    terminal.setEncoding('utf8').on('data', take).resume();
  });
}
