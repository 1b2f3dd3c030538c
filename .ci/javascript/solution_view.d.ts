// The viewer that pages of solutions share; its own source is in solvers/polycube/pictures.
export const SolutionView: any;
