import type { DeliveryRequest } from '../../../webhooks/webhooks.types.js';

/** The request as a command for a POSIX shell. Everything is quoted: the body holds what strangers typed. */
export function curlOf({ url, headers, body }: DeliveryRequest): string {
  const lines = [
    // Without globoff curl would read brackets in a URL as a pattern.
    `curl --globoff ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ];
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
