import { rpc as call } from '../../../src/modules/sandbox/local/rpc.js';

/** One call to a local node, of whose answer the test knows what it is. */
export const rpc = <Result = unknown>(...of: Parameters<typeof call>) => call(...of) as Promise<Result>;
