export default ({ n }) => ({ doubled: n * 2 })
