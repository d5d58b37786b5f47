import { contract } from './contract.ts';

contract('stdio');
