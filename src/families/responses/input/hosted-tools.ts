/** Hosted tools, which only some upstreams have: they run at the upstream, or their calls have a
 *  format of their own. They work only in relayed requests; in a translated request they are not
 *  available. */
import { isObject, type Json, type JsonObject, objectsOf } from '@generation-gateway/kit/json.ts'

/** Names of the hosted tools of OpenAI and Ark (docs/vendors/openai-responses.md#request,
 *  docs/vendors/ark.md#responses). The date of a version may follow some names. */
const hosted =
  /^(?:web_search|web_search_preview|file_search|computer|computer_use|computer_use_preview|code_interpreter|image_generation|mcp|local_shell|shell|apply_patch|tool_search|programmatic_tool_calling|image_process|knowledge_search|doubao_app)(?:_\d{4}_\d{2}_\d{2})?$/

export function isHosted(type: string): boolean {
  return hosted.test(type)
}

/** Returns true for a body whose `tool_choice` requires a hosted tool. Such a body cannot be
 *  translated; only an upstream of the same protocol can serve it. */
export function demandsHosted({ tools, tool_choice: choice }: JsonObject): boolean {
  if (choice === 'required') return areHosted(tools)
  if (!isObject(choice)) return false
  if (choice.type !== 'allowed_tools') return isHostedTool(choice)
  const allowed = isObject(choice.allowed_tools) ? choice.allowed_tools : choice
  return allowed.mode === 'required' && areHosted(allowed.tools)
}

/** Returns true for a list that contains only hosted tools, and at least one. */
function areHosted(tools: Json | undefined): boolean {
  return objectsOf(tools).length > 0 && objectsOf(tools).every(isHostedTool)
}

function isHostedTool({ type }: JsonObject): boolean {
  return typeof type === 'string' && isHosted(type)
}
