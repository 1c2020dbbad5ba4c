/** The part of eth-url-parser that is used; it has no types of its own. */
declare module 'eth-url-parser' {
  export function parse(uri: string): {
    readonly scheme: string;
    readonly target_address: string;
    readonly chain_id?: string;
    readonly function_name?: string;
    readonly parameters?: Readonly<Record<string, string>>;
  };
}
