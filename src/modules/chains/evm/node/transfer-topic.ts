import { toEventSelector } from 'viem';

/** ERC-20's one event that moves money. */
export const TRANSFER_TOPIC = toEventSelector('Transfer(address,address,uint256)');
