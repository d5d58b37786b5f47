import { contract } from './contract.ts';

contract('websocket');
