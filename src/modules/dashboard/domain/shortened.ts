/** Of a long id that is only recognised, never compared: what it begins and ends with. */
export function shortened(id: string): string {
  return id.length <= 24 ? id : `${id.slice(0, 10)}…${id.slice(-8)}`;
}

/** An id of ours: what it names, a time and chance (`newId`). */
const IDS = /\b[a-z]{2,3}_[0-9a-z]{30}\b/g;

/** Ids are whole only where developers look for them; elsewhere they are recognised at most. */
export function withShortIds(text: string): string {
  return text.replaceAll(IDS, shortened);
}

export function isWholeId(text: string): boolean {
  return text.replace(IDS, '') === '' && text !== '';
}
