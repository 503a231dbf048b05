import Type, { type Static } from 'typebox'

/** Settings of the engine's built-in targets (section `slides` of the YAML file), and of any other
 *  target that uses this engine. */
export const settings = Type.Object(
  {
    text_model: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Id of the model that writes the content, or `none`; else the first text model that the operator has configured. A small built-in one only writes when it is named.',
      }),
    ),
    picture_model: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Id of the model that draws the pictures of a deck, or `none`; else a built-in one.',
      }),
    ),
    pictures: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 12, description: 'Pictures that are drawn for one deck, at most; default 3.' }),
    ),
    index: Type.Optional(
      Type.Boolean({ description: 'Whether what the built-in search index has on a title becomes part of the deck; default true.' }),
    ),
  },
  { additionalProperties: false },
)

export type SlidesSettings = Static<typeof settings>

/** Returns the model that the setting names: `usual` when the setting is absent, undefined when it
 *  is `none`. */
export function wantedModel<Usual extends 'configured' | 'built-in'>(
  id: string | undefined,
  usual: Usual,
): { id: string } | Usual | undefined {
  if (id === undefined) return usual
  return id === 'none' ? undefined : { id }
}
