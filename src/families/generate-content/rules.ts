/** Rules that involve several fields of a body. They also check relayed bodies. */
import type { Rule } from '../../contract/operation.ts'
import type { Conversation, CountBody } from './schema.ts'

export const conversationRules: Rule<Conversation>[] = [
  {
    id: 'one-schema',
    says: 'responseSchema and responseJsonSchema have the same meaning; send only one of them.',
    field: 'generationConfig.responseJsonSchema',
    holds: ({ generationConfig: config }) => config?.responseSchema === undefined || config.responseJsonSchema === undefined,
  },
  {
    id: 'schema-needs-json',
    says: 'A schema of the answer needs responseMimeType application/json or text/x.enum.',
    field: 'generationConfig.responseMimeType',
    holds: ({ generationConfig: config }) =>
      (config?.responseSchema === undefined && config?.responseJsonSchema === undefined) ||
      (config.responseMimeType !== undefined && config.responseMimeType !== 'text/plain'),
  },
  {
    id: 'logprobs',
    says: 'logprobs is only for responseLogprobs true.',
    field: 'generationConfig.logprobs',
    holds: ({ generationConfig: config }) => !config?.logprobs || config.responseLogprobs === true,
  },
  {
    id: 'allowed-functions-declared',
    says: 'allowedFunctionNames names only functions that tools declare.',
    field: 'toolConfig.functionCallingConfig.allowedFunctionNames',
    holds: body => undeclared(body) === undefined,
    explain: body => `allowedFunctionNames names the function ${undeclared(body)}, which tools does not declare.`,
  },
  {
    id: 'any-needs-functions',
    says: 'The mode ANY needs a function in tools.',
    field: 'toolConfig.functionCallingConfig.mode',
    holds: ({ toolConfig, tools = [] }) =>
      toolConfig?.functionCallingConfig?.mode !== 'ANY' || tools.some(tool => Object.keys(tool).some(name => Reflect.get(tool, name))),
  },
]

export const countRules: Rule<CountBody>[] = [
  {
    id: 'one-conversation',
    says: 'The body has either contents or a generateContentRequest with contents.',
    field: 'contents',
    holds: ({ contents, generateContentRequest: request }) =>
      request === undefined ? contents !== undefined : contents === undefined && request.contents !== undefined,
  },
]

function undeclared({ toolConfig, tools = [] }: Conversation): string | undefined {
  const allowed = toolConfig?.functionCallingConfig?.allowedFunctionNames ?? []
  if (allowed.length === 0) return undefined
  const declared = new Set(tools.flatMap(tool => (tool.functionDeclarations ?? []).map(({ name }) => name)))
  return allowed.find(name => !declared.has(name))
}
