/** A path relative to the root as a URI reference: each segment percent-encoded, so that no name reads as a scheme or a query. */
export function relativeUri(path: string): string {
  return path
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
