/** Returns a section of the configuration file that the family declares (`FamilySpec.sections`),
 *  checked against its schema; undefined when the file does not have the section. */
export type ReadSection = <Section>(name: string) => Section | undefined
