// The broker stops: every cell is killed, every call in one is told that it may be made again elsewhere.

import type { EndOf } from '../cell.ts';
import { failure } from '../outcome.ts';

export const endByShutdown: EndOf = () => failure('shutdown', 'The server is shutting down: try again later');
