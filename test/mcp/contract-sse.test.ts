import { contract } from './contract.ts';

contract('sse');
