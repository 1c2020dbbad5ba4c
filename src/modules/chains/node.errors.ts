/** The node's answers do not fit together: it lags, it changed its mind, or a balancer asked two of them. */
export class InconsistentNode extends Error {
  override readonly name = 'InconsistentNode';
}

/** A block without whose logs nothing after it is read. */
export class LogsRefused extends Error {
  override readonly name = 'LogsRefused';

  constructor(
    readonly height: number,
    readonly reason: unknown,
    beside = 'and does not tell its receipts either',
  ) {
    super(`the node refuses the logs of block ${height}, ${beside}`);
  }
}

/** The node keeps blocks for a while, and this one no more: asking again does not help. */
export class BlockGone extends Error {
  override readonly name = 'BlockGone';

  constructor(
    readonly height: number,
    options: ErrorOptions,
  ) {
    super(`the node does not keep block ${height} any more`, options);
  }
}

/** Nobody tells this node of new blocks: its tip may be hours old, and on a chain of slow blocks would pass for the newest. */
export class NodeWithoutPeers extends Error {
  override readonly name = 'NodeWithoutPeers';

  constructor() {
    super('the node has no peers, so nobody tells it of new blocks');
  }
}

/** This endpoint serves another chain than the configuration says. */
export class WrongChain extends Error {
  override readonly name = 'WrongChain';
}

/** A token is divided otherwise than the configuration says, or is not there. */
export class WrongToken extends Error {
  override readonly name = 'WrongToken';
}

/** The node shares none of the blocks that we remember: only a person can tell which of the two is right. */
export class NoCommonAncestor extends Error {
  override readonly name = 'NoCommonAncestor';
}

/** Two nodes say different things about the same block: one of them is wrong, and nobody here can tell which. */
export class NodesDisagree extends Error {
  override readonly name = 'NodesDisagree';
}

/** The second node does not answer, so nothing that the first one says is checked. */
export class SecondNodeSilent extends Error {
  override readonly name = 'SecondNodeSilent';

  constructor(readonly reason: unknown) {
    super('the second node does not answer');
  }
}
