/** "2026-11-27 03:43 UTC": a moment in an alert, which is written once and read in every language and zone. */
export function utcMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
