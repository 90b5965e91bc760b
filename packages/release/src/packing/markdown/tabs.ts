import { collapseText } from '@sekisho/contract/page-markdown'
import {
  attribute,
  type Element,
  elementsOf,
  hasClass,
  isElement,
  type Parent,
  textOf,
} from './html-nodes.ts'

/** The tabs of a page: the label of each panel, and the elements that only show labels. */
export interface Tabs {
  readonly labels: ReadonlyMap<Element, string>
  /** Labels and titles that are written elsewhere. */
  readonly shown: Set<Element>
}

interface Found {
  readonly labels: Map<Element, string>
  readonly shown: Set<Element>
  readonly byId: ReadonlyMap<string, Element>
  readonly next: ReadonlyMap<Element, Element>
}

/** Levels between a list of tabs and the element that holds its panels too. */
const MAX_LEVELS = 5

/** Finds tabs by role, by `aria-labelledby`, and by radio buttons whose labels stand before or among the contents. */
export function readTabs(content: Parent): Tabs {
  const next = new Map<Element, Element>()
  const all = elementsBelow(content, next)
  const byId = new Map(all.map((one) => [attribute(one, 'id') ?? '', one]))
  byId.delete('')
  const found: Found = { labels: new Map(), shown: new Set(), byId, next }
  labelByReference(all, found)
  labelByOrder(all, found)
  labelByRadio(all, found)
  for (const panel of all.filter(isPanel)) {
    const name = attribute(panel, 'aria-label') ?? attribute(panel, 'title')
    if (name !== null && !found.labels.has(panel)) found.labels.set(panel, collapseText(name).trim())
  }
  return found
}

/** Every element below a node, and for each one the next of the same parent. */
function elementsBelow(parent: Parent, next = new Map<Element, Element>()): Element[] {
  const found: Element[] = []
  const collect = (within: Parent): void => {
    let before: Element | null = null
    for (const child of elementsOf(within)) {
      if (before !== null) next.set(before, child)
      before = child
      found.push(child)
      collect(child)
    }
  }
  collect(parent)
  return found
}

const isTab = (element: Element): boolean => attribute(element, 'role') === 'tab'
const isPanel = (element: Element): boolean => attribute(element, 'role') === 'tabpanel'
const labelOf = (tab: Element): string => collapseText(textOf(tab)).trim()

/** Panels that name their tab, and tabs that name their panel; several tabs may share one (Javadoc). */
function labelByReference(all: readonly Element[], { labels, shown, byId }: Found): void {
  for (const element of all) {
    const tab = byId.get(attribute(element, 'aria-labelledby') ?? '')
    const isLabelled = tab !== undefined && (isTab(tab) || (tab.tagName === 'li' && hasClass(tab, 'tab')))
    if (!isLabelled) continue
    labels.set(element, labelOf(tab))
    shown.add(tab)
  }
  for (const tab of all.filter(isTab)) {
    shown.add(tab)
    const target = attribute(tab, 'aria-controls') ?? attribute(tab, 'href')?.replace(/^#/, '') ?? ''
    const panel = byId.get(target)
    if (panel !== undefined && isPanel(panel) && !labels.has(panel)) labels.set(panel, labelOf(tab))
  }
}

/** Lists of tabs and panels that name nothing: in their order, within the closest element that holds both. */
function labelByOrder(all: readonly Element[], { labels, shown }: Found): void {
  const panelsIn = new Map<Element, readonly Element[]>()
  const panelsOf = (element: Element): readonly Element[] => {
    const known = panelsIn.get(element)
    if (known !== undefined) return known
    const panels = elementsOf(element).flatMap((child) => (isPanel(child) ? [child] : panelsOf(child)))
    panelsIn.set(element, panels)
    return panels
  }
  for (const list of all.filter(
    (one) => attribute(one, 'role') === 'tablist' || elementsOf(one).some(isTab),
  )) {
    const tabs = elementsBelow(list).filter(isTab)
    if (tabs.length > 0) shown.add(list)
    let around = list.parentNode
    for (let level = 0; level < MAX_LEVELS && around !== null && isElement(around as Element); level += 1) {
      const panels = panelsOf(around as Element)
      if (panels.length > 0) {
        if (panels.length === tabs.length)
          for (const [at, panel] of panels.entries())
            if (!labels.has(panel)) labels.set(panel, labelOf(tabs[at] as Element))
        break
      }
      around = (around as Element).parentNode
    }
  }
}

/** Radio buttons whose labels are tabs: each label before its content, or all labels before all contents. */
function labelByRadio(all: readonly Element[], found: Found): void {
  const { labels, shown, byId } = found
  const isChoice = (element: Element): boolean =>
    element.tagName === 'label' && isRadio(byId.get(attribute(element, 'for') ?? ''))
  for (const group of new Set(all.filter(isChoice).map(({ parentNode }) => parentNode))) {
    if (group === null || !isElement(group as Element)) continue
    const parts = elementsOf(group).filter((one) => !isRadio(one))
    const choices = parts.flatMap((part, at) => (isChoice(part) ? [{ part, at }] : []))
    const following = choices.map(({ at }) => parts[at + 1])
    const rest = parts.slice((choices.at(-1)?.at ?? 0) + 1)
    const within = [rest[0], found.next.get(group as Element)]
    const contents = [
      following.filter((one) => one !== undefined && !isChoice(one)),
      rest,
      ...within.map((one) => (one === undefined ? [] : elementsOf(one))),
    ].find(({ length }) => length === choices.length)
    for (const [at, { part }] of choices.entries()) {
      const content = contents?.[at]
      if (content === undefined) break
      labels.set(content, labelOf(part))
      shown.add(part)
    }
  }
}

const isRadio = (element: Element | undefined): boolean =>
  element?.tagName === 'input' && attribute(element, 'type') === 'radio'
