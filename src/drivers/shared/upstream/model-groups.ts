/** Divides a vendor's models into groups. All models of a group accept the same fields within the
 *  same limits. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type, { type TProperties } from 'typebox'
import { RefusedError } from '../refusal.ts'

interface GroupsSpec<Group> {
  /** Id of the driver, for messages. */
  driver: string
  /** Groups by name. The names are the values of the setting `model_group`. */
  groups: Readonly<Record<string, Group>>
  /** Description, for messages, of the models that need the setting; default: a model whose name
   *  the driver does not know. */
  unnamed?: string
}

export interface ModelGroups<Group> {
  /** The schema of the setting `model_group`. */
  setting: TProperties
  /** Returns the group that the settings state, otherwise the group that the model's name belongs
   *  to; undefined for an unknown model. */
  of(settings: JsonObject, model: string): Group | undefined
  /** Returns the group as `of` does, but throws a `RefusedError` for an unknown model. */
  known(settings: JsonObject, model: string): Group
  /** Returns the reason why a target cannot be used, when neither its settings nor its model's name
   *  determine a group; undefined otherwise. */
  unusable(settings: JsonObject, model: string): string | undefined
}

/** Returns functions that find the group of a model. The member `models` of each group matches the
 *  vendor's names of its models. */
export function modelGroups<Group extends { models: RegExp }>(spec: GroupsSpec<Group>): ModelGroups<Group> {
  const { driver, groups, unnamed = 'a model whose name the driver does not know' } = spec
  const of = ({ model_group: named }: JsonObject, model: string): Group | undefined => {
    if (typeof named === 'string' && Object.hasOwn(groups, named)) return groups[named]
    return Object.values(groups).find(({ models }) => models.test(model))
  }
  const message = (model: string) => `The driver ${driver} does not know the model ${model}; say with model_group what it takes.`
  return {
    setting: {
      model_group: Type.Optional(Type.Enum(Object.keys(groups), { description: `What the model takes. Only for ${unnamed}.` })),
    },
    of,
    known: (settings, model) => {
      const group = of(settings, model)
      if (group) return group
      throw new RefusedError({ message: message(model) })
    },
    unusable: (settings, model) => (of(settings, model) ? undefined : message(model)),
  }
}
