import type { ArtKey, Lettering, Subject } from '../scene.ts'

const canvases: Partial<Record<ArtKey, ArtKey>> = {
  'drawn:painting': 'drawn:canvas',
  'drawn:easel': 'drawn:easel-canvas',
  'drawn:poster': 'drawn:blank-poster',
}

/** Changes the drawings of paintings, easels and posters whose contents the prompt names: they are
 *  drawn empty, without the usual contents. A painting that stands on an easel is merged with the
 *  easel. */
export function emptyCanvases(subjects: Subject[]): void {
  // The loop goes over a copy, because it removes subjects from the list.
  for (const subject of [...subjects]) {
    for (const relation of subject.relations) {
      const host = relation.kind === 'printed-on' ? subjects.find(({ id }) => id === relation.of) : undefined
      const stand = host?.relations.find(({ kind }) => kind === 'on')
      const easel = stand && subjects.find(({ id, art }) => id === stand.of && art === 'drawn:easel')
      if (host && easel) {
        relation.of = easel.id
        easel.art = 'drawn:easel-canvas'
        subjects.splice(subjects.indexOf(host), 1)
      } else if (host) host.art = canvases[host.art] ?? host.art
    }
  }
}

/** Makes room for the texts that the prompt wants on things: a poster becomes a blank sheet, on
 *  which the text is written later. A thing that also carries a picture is marked as `captioned`,
 *  so that the text is put below the picture. */
export function emptyLettered(subjects: readonly Subject[], letterings: readonly Lettering[]): void {
  for (const subject of subjects) {
    if (!letterings.some(({ on }) => on === subject.id)) continue
    if (subject.art === 'drawn:poster') subject.art = 'drawn:blank-poster'
    const isPrinted = subjects.some(({ relations }) => relations.some(({ kind, of }) => kind === 'printed-on' && of === subject.id))
    if (isPrinted) subject.looks.push('captioned')
  }
}
