/** A section of the configuration file that the family declares (`FamilySpec.sections`), checked by
 *  its schema; undefined when the file does not have it. */
export type ReadSection = <Section>(name: string) => Section | undefined
