/** Of a long id that is only recognised, never compared: what it begins and ends with. */
export function shortened(id: string): string {
  return id.length <= 24 ? id : `${id.slice(0, 10)}…${id.slice(-8)}`;
}
