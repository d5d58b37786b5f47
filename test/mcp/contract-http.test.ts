import { contract } from './contract.ts';

contract('http');
