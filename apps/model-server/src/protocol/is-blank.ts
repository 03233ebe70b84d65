/** Whether a text holds nothing but white space: providers refuse such a block. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}
