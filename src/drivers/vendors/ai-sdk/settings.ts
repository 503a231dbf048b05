/** Settings of a target: the provider package that serves it, the options for the package's
 *  factory, and how requests are translated for its model. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { type Json, type JsonObject, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import type { MaskForm } from '@generation-gateway/kit/media/pixel-work.ts'
import Type from 'typebox'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'
import { videoFactsOf, videoSettings } from './video-settings.ts'

/** Pattern that allows only names of the npm registry: no path, no URL, no `node:` module. */
const packageName = '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$'
const hostName = '^[a-z0-9.-]+(:[0-9]+)?$'
/** Minimum length of a string that is hidden as a secret. Shorter ones are ordinary words ("true"),
 *  and replacing these in every message would make messages unreadable. */
const shortestSecret = 6

const maskForms: readonly MaskForm[] = ['transparent', 'white']

export type TargetFacts = ReturnType<typeof settings.targetOf>

export const settings = serviceSettings({
  driver: 'ai-sdk',
  baseUrl: "baseURL of the factory. Default: the package's own.",
  // This placeholder is never requested, because the package itself knows the address of its
  // service.
  usualBaseUrl: 'https://localhost',
  apiKey: 'Key of the service. Default: what the package reads from its own environment variable.',
  usualWaits: { firstByteMs: 300_000, idleMs: 300_000 },
  own: {
    package: Type.String({
      pattern: packageName,
      maxLength: 214,
      description: 'npm package of an AI SDK provider, added to the gateway with npm install. Its code runs inside the gateway.',
    }),
    export: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z_$][A-Za-z0-9_$]*$',
        description: "Name of the package's factory. Default: the one export whose name begins with create.",
      }),
    ),
    api_key_as: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9]*$',
        description: "Name of the factory's option for the key: apiToken for @ai-sdk/replicate. Default: apiKey.",
      }),
    ),
    options: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        secret: true,
        description: 'More options of the factory (name, region, project, ...); their texts are treated as secrets.',
      }),
    ),
    provider_options: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
        description: 'providerOptions of every call, by provider: { fal: { guidanceScale: 4 } }.',
      }),
    ),
    size_as: Type.Optional(
      Type.Enum(['size', 'aspect_ratio'], {
        description: 'How the model takes a width and height: 1024x768 or 4:3. Default: size for pictures, both for videos.',
      }),
    ),
    seed: Type.Optional(Type.Boolean({ description: 'Whether the model takes a seed. Default: true.' })),
    most_images: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 16, description: 'Pictures that one edit of the model may be made with. Default: 1.' }),
    ),
    mask: Type.Optional(
      Type.Enum(['transparent', 'white'], {
        description:
          'The model takes a mask: what says where it may draw, transparent pixels or white ones. Default: it takes none, and masks and regions are refused.',
      }),
    ),
    video: Type.Optional(videoSettings),
    text_method: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9]*$',
        description: "The provider's method that makes its language model: chat, responses. Default: languageModel.",
      }),
    ),
    text_tools: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.String({
              pattern: '^[\\w-]+\\.[\\w-]+$',
              maxLength: 100,
              description: 'Id of the tool: anthropic.web_search_20250305.',
            }),
            name: Type.String({ minLength: 1, maxLength: 64, description: 'Name of the tool in the conversation: web_search.' }),
            args: Type.Optional(
              Type.Record(Type.String(), Type.Unknown(), { description: 'Settings of the tool, as the package documents them.' }),
            ),
          },
          { additionalProperties: false },
        ),
        { maxItems: 16, description: 'Tools that the service runs itself; they are declared in every conversation. Default: none.' },
      ),
    ),
    files_in_results: Type.Optional(
      Type.Boolean({
        description:
          'True: pictures and documents are sent inside of the results of tools. False: they follow in a message of the user. Default: true for the packages of Anthropic, Bedrock, Azure, Google, Vertex and OpenAI.',
      }),
    ),
    api_hosts: Type.Optional(
      Type.Array(Type.String({ pattern: hostName }), {
        description:
          'Further hosts of the service that get its credential (another region, a queue). Default: the host of the first request alone.',
      }),
    ),
  },
  facts: (given, { upstream, waits, idleMs = waits.firstByteMs }) => ({
    // Without `idle_seconds`, the time limit `timeout_seconds` also applies to pauses within an
    // answer. A package that waits for a picture does not report when the answer begins, so the
    // gateway cannot tell a late first byte from a pause.
    waits: { ...waits, idleMs },
    package: String(given.package),
    /** Name of the package's export that is the factory. When it is undefined, the factory is the
     *  package's only export whose name begins with `create`. */
    factory: settingText(given.export),
    /** Options for the factory, in addition to `fetch`. */
    factoryOptions: factoryOptionsOf(given),
    /** Origin of `base_url`; undefined when it is not set. */
    baseOrigin: settingText(given.base_url) === undefined ? undefined : upstream.origin,
    apiHosts: textsOf(given.api_hosts),
    providerOptions: objectOf(given.provider_options),
    isSizeRatio: given.size_as === 'aspect_ratio',
    /** True when the request to the package states the size of a video but no aspect ratio. */
    isSizeAlone: given.size_as === 'size',
    video: videoFactsOf(given.video),
    /** The provider's method that creates a language model; undefined when the driver is to use the
     *  common methods. */
    textMethod: settingText(given.text_method),
    /** Tools that the service runs itself, as the setting `text_tools` lists them. */
    textTools: objectsOf(given.text_tools),
    /** The operator's setting `files_in_results`. When it is undefined, the driver's table of
     *  packages decides. */
    takesFilesInResults: typeof given.files_in_results === 'boolean' ? given.files_in_results : undefined,
    takesSeed: given.seed !== false,
    mostImages: typeof given.most_images === 'number' ? given.most_images : 1,
    /** Form of the mask; undefined when the model accepts no mask. */
    mask: maskForms.find(form => form === given.mask),
    /** Strings that are never shown, even when the service or the package repeats them. */
    secrets: [given.api_key, given.headers, given.options].flatMap(textsIn).filter(text => text.length >= shortestSecret),
  }),
})

function factoryOptionsOf({ options, api_key: key, api_key_as: keyName, base_url: baseUrl, headers }: JsonObject): JsonObject {
  const [apiKey, baseURL] = [settingText(key), settingText(baseUrl)?.replace(/\/+$/, '')]
  return {
    ...objectOf(options),
    ...defined({ [settingText(keyName) ?? 'apiKey']: apiKey, baseURL, headers }),
  }
}

/** Returns all strings in a value, each unchanged and trimmed: strings are trimmed before they are
 *  sent, but a package may repeat either form. */
function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value, value.trim()]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
