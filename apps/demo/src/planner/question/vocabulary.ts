/** Words of the question itself. They never name a column, a table or a value by accident. */
export const questionWords: ReadonlySet<string> = new Set(
  `a an the of in on at to for from by with within and or but nor as is are was were be been being am do does did done has have had having
  can could would will shall should may might must i me my we us our you your he she it its they them their theirs this that these those
  there here what which who whom whose when where why how many much number count total sum average mean avg median typical minimum maximum
  min max most least more less fewer than over under above below between at per each every all any some no not none without only just also
  too well plus then so if else please thanks thank hello hi hey give show list tell find get display print name see want need know like
  compare compared versus vs group grouped broken down split break into out up off about around roughly approximately exactly equal equals
  top bottom first last highest lowest biggest smallest largest greatest best worst different distinct unique share percentage percent
  proportion fraction row rows record records entry entries line lines table tables column columns field fields file files data dataset
  attached one ones same other another else again now let lets make made take took use used using ok okay okay right hmm uh um
  don doesn didn isn aren wasn weren s t re ve ll m d got overall altogether together combined across during since until before after
  year month week day quarter weekday hour yes true false there whole entire every kind sort type bit quick quickly question answer
  said say says contain contains containing including include includes start starts starting end ends ending begin begins beginning
  missing empty blank null non except excluding apart query sql run look looking check`.split(
    /\s+/,
  ),
)

/** Words with nearly the same meaning when people name a column. Each line is one group. */
const synonymLines: readonly string[] = [
  'price cost amount charge fee fine value rate bill paid pay spend spent worth',
  'revenue sales turnover income takings earnings earned sold sell total amount made gross',
  'customer client buyer shopper purchaser guest',
  'country nation land',
  'date day when time',
  'time duration length long minutes took',
  'weight mass heavy weigh weighed weighs',
  'height tall',
  'length long size',
  'age old aged young years',
  'city town place location',
  'site location place station spot where',
  'quantity qty units number pieces amount sold',
  'person name who people individual',
  'temperature temp hot cold warm degrees',
  'sex gender',
  'kind type category sort class group',
  'department dept ward unit division team',
  'product item article thing goods',
  'comment comments note notes remark remarks description',
  'employee staff worker colleague',
  'doctor physician consultant clinician',
  'score rating mark grade points stars',
  'distance far km miles',
  'salary wage wages pay earn earns',
  'store shop branch outlet',
  'area region zone district territory',
  'status state outcome result',
  'stay stayed',
  'population inhabitants residents people',
]

export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = toSynonyms(synonymLines)

/** Unit words inside a column name: they help to find it but are rarely said. */
export const unitWords: ReadonlySet<string> = new Set(
  'mm cm m km g kg mg ml l gbp eur usd day hour min minute sec second year c f pct percent in'.split(
    ' ',
  ),
)

/** Weak words inside a column name: they say what form the value has, not what it is. */
export const weakWords: ReadonlySet<string> = new Set(
  'id unit name code no number nr num type key date text label title at on is has was flag total recorded value'.split(
    ' ',
  ),
)

export const personWords: readonly string[] =
  'customer client person name patient employee staff user member player author doctor observer student seller driver owner guest buyer'.split(
    ' ',
  )

export const moneyWords: readonly string[] =
  'revenue sales amount total price cost value fee charge fine bill turnover spend paid salary income'.split(
    ' ',
  )

export const quantityWords: readonly string[] = 'quantity qty units pieces'.split(' ')

export const monthNames: readonly string[] =
  'january february march april may june july august september october november december'.split(' ')

export const weekdayNames: readonly string[] =
  'sunday monday tuesday wednesday thursday friday saturday'.split(' ')

function toSynonyms(lines: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const map = new Map<string, Set<string>>()
  for (const line of lines) {
    const words = line.split(' ')
    for (const word of words) {
      const set = map.get(word) ?? new Set<string>()
      for (const other of words) set.add(other)
      map.set(word, set)
    }
  }
  return map
}
