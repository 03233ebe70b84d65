/** An address of the web, or why it is none, in words for the model. */
export type WebAddress = URL | { readonly ok: false; readonly problem: string };

const refuse = (problem: string): WebAddress => ({ ok: false, problem });

/** Reads an absolute http or https address without credentials; a relative one where there is a base. */
export function parseWebAddress(text: string, base?: string): WebAddress {
  if (!URL.canParse(text, base))
    return refuse(`${JSON.stringify(text)} is not a URL: give an absolute http or https address.`);
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse(`${url.protocol} addresses are not fetched: only http and https are.`);
  if (url.username !== '' || url.password !== '')
    return refuse('An address with a user name or password in it is not fetched.');
  return url;
}
