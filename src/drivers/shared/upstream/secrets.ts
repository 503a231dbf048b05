/** Returns the text with each secret replaced by `***`. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '***')), text)
}
