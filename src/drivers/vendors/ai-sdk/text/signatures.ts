/** Converts signatures that callers send back to options of a package. These signatures have the
 *  form of the service's own protocol, because a target that speaks that protocol sent them. */
import { type JsonObject, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import { type CarriedMembers, type CarriedSource, thinkingBlocks } from '@generation-gateway/kit/requests/carried.ts'
import type { TextItem } from '@generation-gateway/kit/requests/text.ts'
import { carriedFor } from '../../../shared/text/carried-members.ts'
import type { PackageForm } from '../../../shared/text/packages/package-signatures.ts'
import type { MarkTarget } from './cache-marks.ts'
import type { PromptPart } from './language-model.ts'

/** The target that gets a prompt. */
export interface AnswerTarget extends MarkTarget {
  source: CarriedSource
  /** How the package sends back signatures of a protocol; undefined when it uses no such
   *  signatures. */
  signatures: PackageForm | undefined
  /** True when the service stores answers. The package then does not get its own metadata back. It
   *  would turn the ids in the metadata into references to stored items, and a caller could write
   *  ids of items that belong to another account. */
  storesAnswers: boolean
}

/** Returns the members that a package of this kind added to an earlier answer; an empty object when
 *  there are none. */
export function packageMembers(carried: CarriedMembers | undefined, { source, storesAnswers }: AnswerTarget): JsonObject {
  return storesAnswers ? {} : membersFor(source, carried)
}

/** Returns the carried members that a target of this kind gets; an empty object when there are
 *  none. */
function membersFor(kind: CarriedSource, carried: CarriedMembers | undefined): JsonObject {
  return carriedFor({ kind, refusesUnknown: false, reasoningIn: undefined }, carried)?.members ?? {}
}

/** Returns the thinking that has signatures of the Messages protocol. Returns an empty list when
 *  the package does not use such signatures or the caller sent none. */
export function signedThinking(carried: CarriedMembers | undefined, { source, signatures }: AnswerTarget): PromptPart[] {
  if (signatures?.protocol !== 'messages') return []
  const { protocol, key } = signatures
  return objectsOf(membersFor({ ...source, protocol }, carried)[thinkingBlocks]).flatMap((block): PromptPart[] => {
    const { type, thinking } = block
    const [data, signature] = [textOf(block.data), textOf(block.signature)]
    if (type === 'redacted_thinking')
      return data === undefined ? [] : [{ type: 'reasoning', text: '', providerOptions: { [key]: { redactedData: data } } }]
    if (typeof thinking !== 'string' || signature === undefined) return []
    return [{ type: 'reasoning', text: thinking, providerOptions: { [key]: { signature } } }]
  })
}

/** Returns the reasoning that a service of the Responses protocol encrypted. The id is left out:
 *  with an id, the package would refer to an item stored at the service, and this item is not
 *  stored there. */
export function encryptedReasoning(item: Extract<TextItem, { type: 'reasoning' }>, { signatures }: AnswerTarget): PromptPart[] {
  const { encrypted, summary, content } = item
  if (signatures?.protocol !== 'responses' || encrypted === undefined) return []
  const providerOptions = { [signatures.key]: { reasoningEncryptedContent: encrypted } }
  return [{ type: 'reasoning', text: [...summary, ...content].join('\n\n'), providerOptions }]
}

/** Returns the options with the signature that Gemini sent for a part. Returns undefined when the
 *  package does not use such signatures or the caller sent none. */
export function thoughtSignature(carried: CarriedMembers | undefined, { source, signatures }: AnswerTarget): JsonObject | undefined {
  if (signatures?.protocol !== 'generate-content') return undefined
  const { protocol, key } = signatures
  const signature = textOf(membersFor({ ...source, protocol }, carried).thoughtSignature)
  return signature === undefined ? undefined : { [key]: { thoughtSignature: signature } }
}
