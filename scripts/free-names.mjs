import { childrenOf, memberOf } from './syntax-tree.mjs'

/**
 * @typedef {import('./syntax-tree.mjs').Node} Node
 *
 * A name the module uses and does not declare. `member` is there when it is used as `name.member`.
 * @typedef {{ name: string, member: string | undefined, isType: boolean, start: number }} FreeName
 * @typedef {{ scope: Set<string>, types: Set<string>, inType: boolean }} Context
 * @typedef {{ key: string, parent: Node | undefined }} Place
 */

/**
 * The names that a module uses and does not declare. A declaration needs no exception here: the name in it is looked
 * up like any other, and finds itself.
 *
 * Where this is simpler than the language it is stricter: a `var` ends with its block, and
 * `declare` declares nothing, because nothing of it exists at run time.
 *
 * @param {Node} program
 * @returns {FreeName[]}
 */
export function freeNames(program) {
  /** @type {FreeName[]} */
  const found = []
  // Words of the language that the parser reports as names: a parameter `this`, and `as const`.
  const scope = new Set(['this', 'const'])
  const context = { scope, types: typeNames(program), inType: false }
  visit(program, { key: '', parent: undefined }, context)
  return found

  /**
   * @param {Node} node
   * @param {Place} place
   * @param {Context} outer
   */
  function visit(node, place, outer) {
    const { type, name, start } = node
    if (importsOrReexports(node)) return
    const inType = outer.inType || startsType(node, place)
    const scope = opensScope(node) ? new Set([...outer.scope, ...namesIn(node)]) : outer.scope
    if (type === 'Identifier' && name && isUse(place, inType) && !scope.has(name)) {
      if (!inType) found.push({ name, member: memberUsed(place), isType: false, start })
      else if (!outer.types.has(name)) found.push({ name, member: undefined, isType: true, start })
    }
    for (const { key, child } of childrenOf(node)) {
      visit(child, { key, parent: node }, { ...outer, scope, inType })
    }
  }
}

/** @param {Node} node */
function importsOrReexports({ type, source }) {
  if (type === 'TSImportType') return true
  return /^(Import|ExportNamed|ExportAll)Declaration$/.test(type) && Boolean(source)
}

const typeFields =
  /^(typeAnnotation|returnType|typeParameters|typeArguments|superTypeArguments|implements)$/
const typeDeclarations = /^(TSTypeAliasDeclaration|TSInterfaceDeclaration|TSDeclareFunction)$/

/**
 * @param {Node} node
 * @param {Place} place
 */
function startsType({ type, exportKind }, { key }) {
  return typeFields.test(key) || typeDeclarations.test(type) || exportKind === 'type'
}

/**
 * @param {Place} place
 * @param {boolean} inType
 */
function isUse({ key, parent }, inType) {
  const type = parent?.type ?? ''
  if (inType) {
    // All other names in a type are its own: parameters, members, labels.
    return (
      /^TS(TypeReference|TypeQuery|InterfaceHeritage|ClassImplements)$/.test(type) ||
      (type === 'TSQualifiedName' && key === 'left')
    )
  }
  // `event.document` and `{ document: … }` name a member, not the global.
  if (key === 'key' || key === 'property') return Boolean(parent?.computed)
  return key !== 'label' && key !== 'exported' && type !== 'MetaProperty' && type !== 'TSEnumMember'
}

/** @param {Place} place */
function memberUsed({ key, parent }) {
  return key === 'object' ? memberOf(parent) : undefined
}

/** @param {Node} node */
function opensScope({ type }) {
  return /^(Program|BlockStatement|StaticBlock|CatchClause|SwitchStatement|For(In|Of)?Statement|ArrowFunctionExpression|(Function|Class)(Declaration|Expression))$/.test(
    type,
  )
}

/**
 * What a scope declares itself. The name of a function or class is in its own scope.
 *
 * @param {Node} scope
 * @returns {string[]}
 */
function namesIn({ id, param, params = [], ...scope }) {
  return [...[id, param, ...params].flatMap(boundNames), ...childrenOf(scope).flatMap(declared)]

  /**
   * @param {{ child: Node }} entry
   * @returns {string[]}
   */
  function declared({ child }) {
    const { type, declare, source } = child
    if (declare || typeDeclarations.test(type)) return []
    if (type === 'ImportDeclaration' && source) return importedNames(child)
    const own = /^(VariableDeclarator|(Function|Class|TSEnum)Declaration)$/.test(type)
    const below = opensScope(child) ? [] : childrenOf(child).flatMap(declared)
    return [...(own ? boundNames(child.id) : []), ...below]
  }
}

/** @param {Node} declaration */
function importedNames({ importKind, specifiers = [] }) {
  const values = specifiers.filter((each) => (each.importKind ?? importKind) !== 'type')
  return importKind === 'type' ? [] : values.flatMap(({ local }) => boundNames(local))
}

/**
 * The names in a pattern: `a` and `b` of `{ x: a, y: [b = c] }`.
 *
 * @param {Node | null | undefined} pattern
 * @returns {string[]}
 */
function boundNames(pattern) {
  if (!pattern) return []
  if (pattern.type === 'Identifier') return [pattern.name ?? '']
  const bound = /^(properties|elements|argument|left|parameter)$/
  return childrenOf(pattern).flatMap(({ key, child }) => {
    if (pattern.type === 'Property') return key === 'value' ? boundNames(child) : []
    return bound.test(key) ? boundNames(child) : []
  })
}

/**
 * Types are looked up in the whole file: a type that is out of scope does not compile.
 *
 * @param {Node} node
 * @returns {Set<string>}
 */
function typeNames(node) {
  /** @type {Set<string>} */
  const names = new Set()
  collect(node)
  return names

  /** @param {Node} each */
  function collect(each) {
    for (const { key, child } of childrenOf(each)) {
      const place = `${each.type}.${key}`
      if (
        /^(TSTypeAliasDeclaration|TSInterfaceDeclaration)\.id$|^TSTypeParameter\.name$|^TSMappedType\.key$|^Import.*Specifier\.local$/.test(
          place,
        )
      )
        names.add(child.name ?? '')
      collect(child)
    }
  }
}
