/** The keys of provider packages in `providerOptions` and `providerMetadata`: vercel/ai,
 *  `packages/<name>/src`, November 2026. */
const keys = {
  '@ai-sdk/alibaba': 'alibaba',
  '@ai-sdk/amazon-bedrock': 'bedrock',
  '@ai-sdk/anthropic': 'anthropic',
  '@ai-sdk/azure': 'openai',
  '@ai-sdk/bytedance': 'bytedance',
  '@ai-sdk/cohere': 'cohere',
  '@ai-sdk/fal': 'fal',
  '@ai-sdk/google': 'google',
  '@ai-sdk/google-vertex': 'google',
  '@ai-sdk/groq': 'groq',
  '@ai-sdk/klingai': 'klingai',
  '@ai-sdk/mistral': 'mistral',
  '@ai-sdk/openai': 'openai',
  '@ai-sdk/openai-compatible': 'openaiCompatible',
  '@ai-sdk/replicate': 'replicate',
  '@ai-sdk/xai': 'xai',
} as const

/** Maps names of packages to facts about them. */
export type PackageTable<Facts> = Readonly<Partial<Record<keyof typeof keys, Facts>>>

/** Returns the entry of a package; undefined when the table has none. */
export function entryOf<Facts>(table: PackageTable<Facts>, name: string): Facts | undefined {
  return isKnown(name) && Object.hasOwn(table, name) ? table[name] : undefined
}

/** Returns the key of a package; undefined for a package that is not in the table above. */
export function packageKey(name: string): string | undefined {
  return isKnown(name) ? keys[name] : undefined
}

function isKnown(name: string): name is keyof typeof keys {
  return Object.hasOwn(keys, name)
}
