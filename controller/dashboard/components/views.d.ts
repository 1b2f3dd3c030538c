// Made by `python -m tests.dashboard_types` of the pages' view.py: do not edit.

export namespace robot {
  type Phase = 'none' | 'connecting' | 'ready' | 'running' | 'pausing' | 'paused' | 'stopping' | 'stopped' | 'fault' | 'uncertain' | 'finished';
  interface StageView {
    title: string;
    state: string;
    detail: string;
  }
  interface Result {
    word: string;
    why: string;
    moves: number;
    robot_s: number;
    seen: number | null;
    recoveries: string[];
  }
  interface RobotView {
    phase: Phase;
    sentence: string;
    address: string;
    is_simulated: boolean;
    rig: string;
    rigs: string[];
    motors: string[];
    has_camera: boolean;
    can_scan: boolean;
    drives: string[];
    battery: { volts: number; is_low: boolean } | null;
    speed: number;
    stages: StageView[];
    primitive: number | null;
    total: number;
    finished: number;
    planned_s: number;
    elapsed_s: number;
    remaining_s: number;
    behind_s: number;
    retries: number;
    rescans: number;
    steady: string;
    scans: number;
    looks: number;
    verdict: string;
    confidence: number | null;
    reasons: string[];
    journal: string;
    can_resume: boolean;
    trouble: string;
    cut_off: string;
    result: Result | null;
  }
  interface Block {
    kind: string;
    text: string;
    seconds: number;
    move: string;
  }
}

export namespace cube {
  type Alphabet = 'standard' | 'german';
  type Method = 'few' | 'layers';
  type SearchState = 'none' | 'running' | 'done' | 'stopped' | 'fault';
  interface PositionView {
    facelets: string;
    is_legal: boolean;
    sentence: string;
    ringed: number[];
    upright: string;
    seed: number | null;
  }
  interface PatternsView {
    positions: Record<string, string>;
  }
  interface Doubt {
    index: number;
    colours: string;
    shares: [number, number];
  }
  interface ReadingView {
    number: number;
    time: string;
    facelets: string;
    verdict: string;
    confidence: number;
    reasons: string[];
    doubts: Doubt[];
  }
  interface HandView {
    is_running: boolean;
    camera: string;
    sentence: string;
    is_fault: boolean;
    faces: string[];
    steady: number;
    wanted: number;
    has_picture: boolean;
  }
  interface SolutionView {
    moves: string[];
    robot_s: number;
    search_s: number;
  }
  interface StageView {
    name: string;
    purpose: string;
    moves: string[];
  }
  interface SearchView {
    facelets: string;
    target: string;
    method: string;
    state: SearchState;
    sentence: string;
    of_s: number;
    spent_s: number;
    candidates: number;
    solutions: SolutionView[];
    stages: StageView[];
  }
}

export namespace board {
  type Phase = 'none' | 'connecting' | 'ready' | 'running' | 'stopping' | 'stopped' | 'fault' | 'finished';
  interface OnBoard {
    chip: string;
    protocol: string;
    image: string;
    bytes: number;
    crc32: string;
    name: string;
    before: string;
  }
  interface BoardView {
    phase: Phase;
    sentence: string;
    work: string;
    address: string;
    is_simulated: boolean;
    is_lost: boolean;
    speed: number;
    on_board: OnBoard;
  }
  interface Memory {
    name: string;
    used: number;
    limit: number;
    note: string;
  }
  interface ProgramView {
    state: string;
    name: string;
    source: string;
    memory: Memory[];
    chain: string[];
    remarks: string[];
    error: string;
    bytes: number;
    blocks: number;
    estimated_s: number;
    crc32: string;
  }
  interface PhaseView {
    name: string;
    state: string;
  }
  interface FlashView {
    name: string;
    addresses: number[];
    phases: PhaseView[];
    done: number;
    bytes: number;
    total: number;
    repeats: Record<number, number>;
    silent: number;
    refused: number;
    elsewhere: number;
    elapsed_s: number;
    left_s: number;
    crc32: string;
    outcome: string;
  }
  interface Solution {
    algorithm: string;
    moves: string;
    shortest: number;
    is_optimal: boolean;
    cycles: number;
    timer_cycles: number;
    milliseconds: number;
    published: string;
    published_ms: number | null;
    is_published: boolean;
    error: string;
  }
  interface PuzzleView {
    start: string;
    goal: string;
    asking: string;
    solutions: Solution[];
  }
}

export namespace puzzles {
  type Phase = 'ready' | 'running' | 'stopped' | 'finished' | 'fault';
  interface ListedPuzzle {
    key: string;
    title: string;
    note: string;
    pictures: number;
    is_own: boolean;
  }
  interface SearchView {
    phase: Phase;
    puzzle: string;
    kind: string;
    wanted: string;
    title: string;
    heading: string;
    sentence: string;
    share: number | null;
    parts: string;
    found: number | null;
    found_words: string;
    nodes: number;
    nodes_before: number;
    share_before: number;
    total: number | null;
    seconds: number;
    left_s: number | null;
    workers: number;
    solutions: number;
    can_resume: boolean;
    made: number;
    extra: any;
  }
  interface Recent {
    text: string;
    result: string;
    kind: string;
  }
}
