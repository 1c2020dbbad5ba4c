import { toEventSelector } from 'viem';

/** What a deposit address says when it has paid out coin (contracts/Forwarder.sol). */
export const COLLECTED_TOPIC = toEventSelector('Collected(uint256)');
