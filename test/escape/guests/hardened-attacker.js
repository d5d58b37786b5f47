// A cell in which an attacker's code runs where guest code runs: after the cell has hardened itself.

import { harden } from '../../../src/cell/inside/harden.ts';
import { attempts, loading, means, signals, tell, tryAll } from './attempts.js';

process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});
const known = await means();
harden();
const all = await tryAll({ ...attempts, ...loading, ...signals }, known);
tell({ ...all, environment: { ...process.env } });
