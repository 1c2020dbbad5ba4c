/** What an answer to somebody who named an address says of it, but for the address itself, tokens and times. */
export function comparable(
  {
    status,
    location,
    html,
  }: { readonly status: number; readonly location: string | null; readonly html: string },
  email: string,
) {
  const plain = html
    .replaceAll(email, '…')
    .replace(/link\/[\w-]{43}/g, 'link/…')
    .replace(/<time.*?<\/time>/gs, '');
  return { status, location, html: plain };
}
