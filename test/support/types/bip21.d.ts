/** The part of bip21 that is used; it has no types of its own. */
declare module 'bip21' {
  export function decode(
    uri: string,
    scheme: string,
  ): { readonly address: string; readonly options: { readonly amount?: number } };
}
