/** Distinguishes three refusals of an upstream: the target's model does not exist (any more),
 *  the path does not exist, or the body names something else that does not exist. The operator
 *  configured the model and the path, so another target may serve the request; the third is the
 *  caller's mistake. */

/** The parts of an upstream's refusal that are examined. */
interface RefusalText {
  message: string
  code: string | null
  type: string | null
  param: string | null
}

/** Matches error codes and types, compared in lower case and without punctuation:
 *  `model_not_found`, `ModelNotOpen`, `InvalidEndpointOrModel.NotFound`. */
const goneCode =
  /^(model(doesnotexist|(is)?not(found|available|exists?|supported|open|deployed)|decommissioned|deprecated|retired|removed|unavailable|discontinued)|(unknown|invalid|unavailable|unsupported|nosuch)model(name|id)?|(model)?deploymentnotfound|invalidendpoint(ormodel)?(notfound|closedendpoint|modelidaccessdisabled)?)$/

const noun = '(model|deployment|engine)s?( or endpoint| identifier| version| id| name)?'
const name = '([\\s:/]+(for this resource|["\'`][^"\'`]{1,200}["\'`]|[^\\s"\'`]{1,200}))?'
const state =
  "((was|is|are|does|do|has|have)( been)? )?(not (be )?(found|exists?)|(doesn['’]t|don['’]t) exist|decommissioned|deprecated|retired|removed|deleted|discontinued|shut ?down|unavailable|no longer (supported|available|exists?|served|offered)|not (yet )?(available|supported|deployed|recognized|accessible)|invalid|not a valid|reached (the |its )?end of (its )?life)"

/** Matches the beginnings of messages about a missing model. Only beginnings are matched: text of
 *  the caller appears later in a message, mostly in quotes, and must not decide. */
const goneWords = [
  new RegExp(`^[^"'\`{}]{0,60}?\\b${noun}${name}[\\s,]+${state}`, 'i'),
  /^\S{1,200} is not a valid model\b/i,
  /^(\S{1,60}: )?(invalid|unknown|unsupported|no|no such) model\b(?! (output|response|input|param|argument|config|setting|option|kwarg))/i,
  /^(error: )?(unable|failed|could not|cannot) (to )?(access|load|find|resolve|use) (the )?(\w+ )?model\b/i,
  /^[\w'`"-]{1,40}( [\w'`"-]{1,80}){0,2} (does|do) not have access to (the )?model\b/i,
  /^.{0,20}模型.{0,40}(不存在|未找到|已下线|已停用|不可用)/,
]

/** Matches messages that mention a model but are about a feature that it lacks; the model itself
 *  exists. */
const featureWords = [
  /^[^"'`{}]{1,60} (with|by|using) (this |that |the )?(model|deployment|engine)\b/i,
  /^[^"'`{}]{1,60} (for|on|in) (this|that|the) (model|deployment|engine) (is|are) not (yet |currently )?supported\b/i,
]
/** Fields that name the target's model. `None` means that the error names no field. */
const modelField = /^(body[./])?(model|model_id|deployment|engine)$|^none$/i
/** Matches words in error codes and messages for objects that a caller's body may name, except
 *  models. */
const otherThing =
  /(?<![a-z])(files?|prompts?|vector[ _]?stores?|conversations?|responses?|items?|containers?|voices?|images?|videos?|audio|tools?|mcp|connectors?|assistants?|threads?|batch|uploads?|urls?|sessions?|functions?|cached?|tasks?|jobs?|skills?|messages? with id|documents?|knowledge[ _]?bases?|collections?|guardrails?|templates?)(?![a-z])/i
/** Matches words for a caller's tools, links and files. An upstream that could not reach one of
 *  these answers with status 424. */
const callersTool = /(?<![a-z])(tools?|mcp|connectors?|urls?|files?|images?)(?![a-z])/i
const pathWords =
  /^(invalid url|(unrecognized|unknown) request url|unexpected endpoint|404 page not found|not found\W*$|(no|unknown) (such )?(route|path)|cannot (post|get)|(the )?(requested )?(url|path|route|page|api endpoint|endpoint)\b.{0,100}\b(not found|not exist))/i

const longestRead = 400
/** Statuses that have one meaning, independent of the message. */
const plainStatuses = new Set([401, 402, 407, 408, 413, 429])

/** Returns true when an answer with a status of 400 to 499 says that the model does not exist.
 *  Another target may then have it. */
export function isModelGone(status: number, said: RefusalText): boolean {
  if (status < 400 || status > 499 || plainStatuses.has(status)) return false
  if (said.param !== null && !modelField.test(said.param)) return false
  if (isModelGoneText(said)) return true
  if (status !== 404 && status !== 410 && status !== 424) return false
  const words = `${said.code} ${said.type} ${said.message.slice(0, longestRead)}`
  return !isNoSuchPath(said) && !(status === 424 ? callersTool : otherThing).test(words)
}

/** Decides as `isModelGone` does, but without a status, only by code, type and message. */
export function isModelGoneText({ code, type, param, message }: RefusalText): boolean {
  if (param !== null && !modelField.test(param)) return false
  if (isGoneCode(code) || isGoneCode(type)) return true
  const words = message.slice(0, longestRead)
  return goneWords.some(pattern => pattern.test(words)) && !featureWords.some(pattern => pattern.test(words))
}

/** Returns true when a 404 refers to the path, which means that the target's base_url is wrong. */
export function isNoSuchPath({ code, message }: RefusalText): boolean {
  return pathWords.test(message.slice(0, longestRead)) || (code === '404' && /^resource not found/i.test(message))
}

function isGoneCode(word: string | null): boolean {
  return word !== null && goneCode.test(word.toLowerCase().replaceAll(/[^a-z]/g, ''))
}
