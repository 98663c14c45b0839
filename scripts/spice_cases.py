#!/usr/bin/env python3
"""Stages and chains of sky130 cells for scripts/bench spice, and what SPICE says of them.

  spice_cases.py stages   DATA COUNT SEED        random stages, as text
  spice_cases.py nets     DATA COUNT SEED        stages with nets of DATA's SPEF files, as text
  spice_cases.py chains   DATA COUNT SEED        chains of eight stages, as text
  spice_cases.py design   DATA CASES FOLDER      the cases as one design for a timer: design.v,
                                                 .spef, .tcl (constraints), and points.txt: a line
                                                 for each case with the pins of its answer and edges
  spice_cases.py library  DATA LIBERTY FILE      a Liberty of DATA with a cell for each of its arcs,
                                                 as the design has them
  spice_cases.py simulate DATA CASES ANSWERS [-jobs N]
                                                 simulates what ANSWERS lacks and adds it
  spice_cases.py alone    DATA CASES ANSWERS FILE
                                                 simulates each stage of the chains by itself: with
                                                 the library's waveform, of the slew that ANSWERS
                                                 says of the chain, and capacitors as loads; adds to
                                                 FILE, a RESULT, what an exact calculator would say
  spice_cases.py shapes   DATA CASES ANSWERS FILE CHAIN...
                                                 what the shape of edges is worth: exact stages with
                                                 ramps, with the library's waveform (FILE of
                                                 `alone`), and between them by the shape that edges
                                                 have in the chain; error at the end, as a table
  spice_cases.py report   CASES,.. ANSWERS,.. POINTS,.. WORST NAME=RESULT,.. ...
                                                 errors over one or more sets of cases: RESULT is a
                                                 folder of write_timing_tables or what
                                                 bench_spice.tcl lets the peer write

DATA is the folder `data` of the reference data (`data/spice` has the transistor models and the
program sky130.py).  The same seed gives the same cases.  Units: ns, pF, ohm.

A case is a line `case NAME`, then
  stage CELL OUT IN EDGE SLEW STATE   the driver; EDGE is the input's; STATE as B=1,C=0, or -
  R NODE NODE OHM
  C NODE PF
  L NODE CELL/PIN PF                  a pin as load: the capacitance is the library's of this edge
and, in a chain, further `stage` lines with their elements.  A chain's next stage hangs at the
first load of the stage before it; SPICE sees the cell there and not its capacitance.  Node `drv` is
the driver's output.
An answer is a line: NAME, a checksum of the case, then delay and slew (ns) at `drv` and at each
load, in the order of the case.  For a chain these are arrival and slew at drv and at the first load
of each stage in turn.
"""
import gzip, math, os, random, re, sys, zlib

LEAST_OHM = 0.01          # ngspice takes no resistor of 0 ohm
NODES = 60


class Dice:
    """Only random() itself has the same numbers in every version of Python."""
    def __init__(self, seed): self.r = random.Random(seed)
    def u(self, a, b): return a + (b - a) * self.r.random()
    def log(self, a, b): return math.exp(self.u(math.log(a), math.log(b)))
    def n(self, a, b): return a + int(self.r.random() * (b - a + 1))      # a..b
    def of(self, items): return items[self.n(0, len(items) - 1)]


def sky130(data):
    sys.path.insert(0, os.path.join(data, 'spice'))
    sys.dont_write_bytecode = True
    import sky130 as m
    return m


class Cells:
    def __init__(self, data):
        self.s = s = sky130(data)
        _, self.pins = s.read_liberty(os.path.join(data, 'spice', 'sky130_spice.lib.gz'))
        self.arcs = [(c,) + a for c in s.CELLS for a in s.arcs(c)]
        self.inputs = [(c, p) for c in s.CELLS for p in s.inputs(c)]

    def out_edge(self, cell, out, inp, state, edge):
        v = {**state, inp: int(edge == 'fall')}
        return 'rise' if self.s.value(cell, out, v) == 0 else 'fall'

    def cap(self, cell, pin, edge): return self.pins[cell, pin][edge == 'fall']
    def most(self, cell, out): return self.s.CELLS[cell][out][1]
    # A load of the table's last column gives some 1.5 ns of slew, 1.386 RC of a resistance.
    def ohm(self, cell, out): return 1.5 / 1.386 / self.most(cell, out) * 1e3


def g(x): return f'{x:.6g}'


# ---------------------------------------------------------------- nets
def random_tree(d, cells, cell, out, edge, most_nodes, most_loads, fill, ratio, first_load=None):
    """fill: total over the largest load of the tables; ratio: ohms of the tree's longest path over
    the driver's."""
    n = d.n(1, 3) if d.u(0, 1) < 0.3 else int(round(d.log(2, most_nodes)))
    chain = d.u(0.3, 1)
    parent = [0] + [(i if d.u(0, 1) < chain else d.n(0, i)) for i in range(n)]     # nodes 1..n
    ohm = [0] + [d.log(0.1, 1) for _ in range(n)]
    cap = [d.log(0.05, 1) for _ in range(n + 1)]
    if d.u(0, 1) < 0.15: cap[0] = 0.0      # no near capacitance
    leaves = [i for i in range(1, n + 1) if i not in parent[i + 1:]]
    nodes = leaves + [i for i in range(1, n + 1) if i not in leaves and d.u(0, 1) < 0.15]
    while len(nodes) > most_loads: nodes.pop(d.n(0, len(nodes) - 1))
    loads = [(i, first_load if first_load and k == 0 else d.of(cells.inputs))
             for k, i in enumerate(nodes)]
    pins = sum(cells.cap(c, p, edge) for _, (c, p) in loads)
    wire = max(cells.most(cell, out) * fill - pins, 0.1 * pins)
    far = [0.0] * (n + 1)
    for i in range(1, n + 1): far[i] = far[parent[i]] + ohm[i]
    f = cells.ohm(cell, out) * ratio / max(far)
    w = wire / sum(cap) if sum(cap) > 0 else 0
    name = lambda i: f'n{i}' if i else 'drv'
    lines = [f'R {name(parent[i])} {name(i)} {g(max(ohm[i] * f, LEAST_OHM))}'
             for i in range(1, n + 1)]
    lines += [f'C {name(i)} {g(c * w)}' for i, c in enumerate(cap) if c * w > 0]
    return lines + [f'L {name(i)} {c}/{p} {g(cells.cap(c, p, edge))}' for i, (c, p) in loads]


def stage_line(c, o, i, s, e, slew):
    return f'stage {c} {o} {i} {e} {g(slew)} ' + (','.join(f'{k}={v}' for k, v in s.items()) or '-')


def stages(data, count, seed):
    cells, d = Cells(data), Dice(seed)
    for k in range(count):
        c, o, i, s, _ = d.of(cells.arcs)
        e = d.of(['rise', 'fall'])
        ratio = 0 if d.u(0, 1) < 0.05 else d.log(1e-3, 10)
        oe = cells.out_edge(c, o, i, s, e)
        slew, fill = d.log(0.01, 1.0), d.log(0.03, 1)
        tree = random_tree(d, cells, c, o, oe, NODES, 4, fill, ratio)
        yield [f'case r{k}', stage_line(c, o, i, s, e, slew)] + tree


SPEFS = ['gcd1_sky130hd/gcd', 'riscv32i_sky130hd/riscv32i', 'gcd_sky130hd/gcd_sky130hd']


def spef_nets(path):
    """Trees of up to NODES nodes: (root, [(parent, node, ohm)], {node: pF}, [load])"""
    text = gzip.open(path, 'rt').read()
    for m in re.finditer(r'^\*D_NET (\S+) .*?^\*END', text, re.S | re.M):
        part, at = {'CONN': [], 'CAP': [], 'RES': []}, None
        for l in m[0].split('\n')[1:]:
            if l[:1] == '*' and l.split()[0][1:] in part: at = l.split()[0][1:]
            elif at and l[:4] != '*END': part[at].append(l.split())
        root = [w[1] for w in part['CONN'] if (w[0] == '*I') == (w[2] == 'O')]
        loads = [w[1] for w in part['CONN'] if (w[0] == '*I') == (w[2] == 'I')]
        if len(root) != 1 or not loads or len(part['RES']) > NODES: continue
        cap, near = {}, {}
        for w in part['CAP']: cap[w[1]] = cap.get(w[1], 0) + float(w[-1])
        for w in part['RES']:
            near.setdefault(w[1], []).append((w[2], float(w[3])))
            near.setdefault(w[2], []).append((w[1], float(w[3])))
        seen, todo, edges = {root[0]}, [root[0]], []
        for u in todo:
            for v, r in near.get(u, []):
                if v not in seen:
                    seen.add(v); todo.append(v); edges.append((u, v, r))
        if len(edges) != len(part['RES']) or not set(cap) - {None} <= seen | set() \
           or not set(loads) <= seen: continue
        yield root[0], edges, cap, loads


def nets(data, count, seed):
    cells, d = Cells(data), Dice(seed)
    all_nets = [n for f in SPEFS
                for n in list(spef_nets(os.path.join(data, 'designs', f + '.spef.gz')))[:400]]
    k = 0
    while k < count:
        root, edges, cap, loads = d.of(all_nets)
        c, o, i, s, _ = d.of(cells.arcs)
        e, slew = d.of(['rise', 'fall']), d.log(0.01, 1.0)
        oe = cells.out_edge(c, o, i, s, e)
        pins = [d.of(cells.inputs) for _ in loads]
        if sum(cap.values()) + sum(cells.cap(*p, oe) for p in pins) > cells.most(c, o): continue
        name = {root: 'drv'}
        for u, v, _ in edges: name[v] = f'n{len(name)}'
        yield [f'case s{k}', stage_line(c, o, i, s, e, slew)] + \
            [f'R {name[u]} {name[v]} {g(max(r, LEAST_OHM))}' for u, v, r in edges] + \
            [f'C {name[n]} {g(x)}' for n, x in cap.items() if x > 0] + \
            [f'L {name[l]} {p[0]}/{p[1]} {g(cells.cap(*p, oe))}' for l, p in zip(loads, pins)]
        k += 1


def chains(data, count, seed, length=8):
    cells, d = Cells(data), Dice(seed)
    for k in range(count):
        arcs = [d.of(cells.arcs) for _ in range(length)]
        e, slew, lines = d.of(['rise', 'fall']), d.log(0.02, 0.3), [f'case c{k}']
        for j, (c, o, i, s, _) in enumerate(arcs):
            oe = cells.out_edge(c, o, i, s, e)
            after = arcs[j + 1] if j + 1 < length else None
            lines.append(stage_line(c, o, i, s, e, slew))
            lines += random_tree(d, cells, c, o, oe, 20, 3, d.log(0.03, 0.4), d.log(1e-3, 2),
                                 after and (after[0], after[2]))
            e = oe
        yield lines


# ---------------------------------------------------------------- SPICE
def opened(path): return (gzip.open if path.endswith('.gz') else open)(path, 'rt')


def sums(path):
    """{name: checksum of the case's lines}: an answer is of one case alone"""
    r = {}
    for l in opened(path):
        if l.startswith('case'): name = l.split()[1]
        r[name] = zlib.crc32(l.encode(), r.get(name, 0))
    return {n: f'{x:08x}' for n, x in r.items()}


def read_answers(path, want=None):
    """{name: numbers}; want: checksums that they must have"""
    r = {}
    for l in opened(path):
        w = l.split()
        if want is None or want.get(w[0]) == w[1]: r[w[0]] = [float(x) for x in w[2:]]
    return r


def read_cases(path):
    """[(name, [(cell, out, in, edge, slew, state, elements)])]"""
    r = []
    for l in opened(path):
        w = l.split()
        if not w: continue
        if w[0] == 'case': r.append((w[1], []))
        elif w[0] == 'stage':
            pairs = [] if w[6] == '-' else [x.split('=') for x in w[6].split(',')]
            st = {k: int(v) for k, v in pairs}
            r[-1][1].append((w[1], w[2], w[3], w[4], float(w[5]), st, []))
        else: r[-1][1][-1][6].append(w)
    return r


def answer_stage(s, st):
    c, o, i, e, slew, state, el = st
    net = [['R', w[1], w[2], float(w[3])] if w[0] == 'R' else [w[0], w[1], float(w[-1])]
           for w in el]
    v = s.stage(c, i, e, slew, net, o, state)
    return [x for n in ['drv'] + [w[1] for w in el if w[0] == 'L'] for x in v[n]]


def answer_chain(s, chain):
    return [x for delay, slew, _ in chain_points(s, chain) for x in (delay, slew)]


def chain_points(s, chain):
    """[(arrival, slew, shape)] at drv and at the first load of each stage; shape: the time from the
    middle to the second threshold over that from the first one to the middle"""
    body, src, cells, obs = [], 'in', [], []
    s.files()
    total = 0
    for k, (c, o, i, e, slew, state, el) in enumerate(chain):
        cells.append(c)
        n = lambda x: f's{k}{x}'
        other = {x: f'open{k}{x.lower()}' for x in s.CELLS[c] if x != o}
        body.append(s.instance(f's{k}', c, {**s.tie(state), **other, i: src, o: n('drv')}))
        first = [w[1] for w in el if w[0] == 'L'][0]
        seen = False
        for j, w in enumerate(el):
            if w[0] == 'R': body.append(f'r{k}_{j} {n(w[1])} {n(w[2])} {w[3]}'); continue
            if w[0] == 'L' and w[1] == first and not seen and k + 1 < len(chain):
                seen = True
                continue
            body.append(f'c{k}_{j} {n(w[1])} 0 {w[-1]}p')
            total += float(w[-1]) / s.CELLS[c][o][1]
        v = {**state, i: int(e == 'fall')}
        oe = 'rise' if s.value(c, o, v) == 0 else 'fall'
        obs += [(n('drv'), oe), (n(first), oe)]
        src = n(first)
    p = s.waveform(chain[0][3], chain[0][4], 'mix')      # as in the library of chains
    # Coarser than a stage's steps, which moves the end by 0.01 %; longer where a cell is not done.
    stop = p[-1][0] + 0.15 * len(chain) + 1.6 * total
    body.append(f'vin in 0 pwl({s.pwl(p)})')
    final = [s.VDD if e == 'rise' else 0 for _, e in obs]
    for _ in range(4):
        deck = s.deck(cells, body, [f'tran 5p {stop:.6g}n 0 10p'] +
            [m for j, (w, d) in enumerate(obs) for m in s.measures(w, j, d) +
             [f'meas tran e{j} find v({w}) at={stop * 0.999:.6g}n']], 5e-4)
        r = dict(s.ngspice(deck.replace('trtol=1', 'trtol=3')))
        if all(abs(r.get(f'e{j}', 9) - v) < 0.01 * s.VDD for j, v in enumerate(final)): break
        stop *= 2
    t50 = s.crossing(p, 0.5)
    at = [[r[f'{k}{j}'] for k in 'amb'] for j in range(len(obs))]
    return [(m * 1e9 - t50, (b - a) * 1e9, (b - m) / (m - a)) for a, m, b in at]


def simulate(data, cases, answers, jobs):
    import concurrent.futures as cf
    s = sky130(data)
    s.files()
    check = sums(cases)
    known = read_answers(answers, check) if os.path.exists(answers) else {}
    todo = [c for c in read_cases(cases) if c[0] not in known]
    one = lambda c: answer_stage(s, c[1][0]) if len(c[1]) == 1 else answer_chain(s, c[1])
    with cf.ThreadPoolExecutor(jobs) as ex, open(answers, 'a') as f:
        running = {}
        it = iter(todo)
        def feed():
            for c in it: running[ex.submit(one, c)] = c[0]; return
        for _ in range(jobs): feed()
        while running:
            done, _ = cf.wait(running, return_when=cf.FIRST_COMPLETED)
            for x in done:
                name = running.pop(x)
                try:
                    numbers = ' '.join(f'{v:.5g}' for v in x.result())
                    f.write(f'{name} {check[name]} {numbers}\n')
                    f.flush()
                except Exception as why: print(name, 'failed:', str(why)[-300:], file=sys.stderr)
                feed()


def chain_alone(s, chain, answer, wave='mix'):
    at, r = 0.0, []
    for k, (c, o, i, e, slew, state, el) in enumerate(chain):
        net = [['R', w[1], w[2], float(w[3])] if w[0] == 'R' else [w[0], w[1], float(w[-1])]
               for w in el]
        v = s.stage(c, i, e, answer[4 * k - 1] if k else slew, net, o, state, wave=wave)
        first = v[[w[1] for w in el if w[0] == 'L'][0]]
        r += [at + v['drv'][0], v['drv'][1], at + first[0], first[1]]
        at += first[0]
    return r


def alone(data, cases, answers, path):
    s = sky130(data)
    known, done = read_answers(answers, sums(cases)), {}
    if os.path.exists(path): done = peer_results(path)
    with open(path, 'a') as f:
        for name, chain in read_cases(cases):
            if name in done or name not in known: continue
            numbers = [f'{x * 1e-9:.5g}' for x in chain_alone(s, chain, known[name])]
            f.write(name + ' ' + ' '.join(numbers) + '\n')
            f.flush()


def steps(result): return [b - a for a, b in zip([0] + result[2::4], result[2::4])]


def shapes(data, cases, answers, path, *names):
    s = sky130(data)
    known, mixes = read_answers(answers, sums(cases)), peer_results(path)
    chains = dict(read_cases(cases))
    points = s.waveform('rise', 0.1, 'mix')
    low, middle, high = (s.crossing(points, x) for x in (0.2, 0.5, 0.8))
    mix = (high - middle) / (middle - low)
    print('| chain | ramps % | library % | by shape % |\n| --- | ---: | ---: | ---: |')
    for n in names:
        seen = [mix] + [x[2] for x in chain_points(s, chains[n])[1:-1:2]]
        ramps, full = steps(chain_alone(s, chains[n], known[n], 'ramp')), steps(mixes[n])
        mixed = [a + (x - 1) / (mix - 1) * (b - a) for a, b, x in zip(ramps, full, seen)]
        off = [f'{100 * (sum(x) / known[n][-2] - 1):.2f}' for x in (ramps, full, mixed)]
        print(f'| {n} | ' + ' | '.join(off) + ' |', flush=True)


# ---------------------------------------------------------------- for a timer
SPEF_HEAD = """*SPEF "IEEE 1481-1998"
*DESIGN "top"
*DATE "none"
*VENDOR "none"
*PROGRAM "none"
*VERSION "1"
*DESIGN_FLOW "NETLIST_TYPE_VERILOG"
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER []
*T_UNIT 1 NS
*C_UNIT 1 PF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY
"""
PREFIX = 'sky130_fd_sc_hd__'


def arc_cell(cell, out, inp, when):
    terms = [re.sub(r'!(\w+)', r'\1n', p) for p in when.split('&') if p]
    return f'{PREFIX}{cell}__{out}_{inp}' + ''.join('_' + p for p in terms)


def library(source, path):
    """A Liberty with, beside the cells, a cell for each arc, which has no other: a timer then takes
    this arc and neither those of other states nor those of other inputs."""
    text = gzip.open(source, 'rt').read()
    parts = re.split(r'(?=\n\s*cell \()', text)
    out = [parts[0]]
    for part in parts[1:]:
        body = part.rstrip()
        if part is parts[-1]: body = body[:body.rstrip().rindex('}')].rstrip()      # the library's
        out.append(body)
        cell = re.search(r'cell \("' + PREFIX + r'(\w+)"', body)[1]
        pins = re.split(r'(?=\n    pin \()', body)
        inputs = [x for x in pins[1:] if 'direction : "input"' in x]
        for pin in [x for x in pins[1:] if 'direction : "output"' in x]:
            name = re.search(r'pin \("(\w+)"', pin)[1]
            head, *arcs = re.split(r'(?=\n      timing \()', pin)
            every = set(re.findall(r'pin \("(\w+)"', ''.join(inputs)))
            for a in arcs:
                i = re.search(r'related_pin : "(\w+)"', a)[1]
                w = re.search(r' when : "([^"]*)"; sdf_cond : "[^"]*";', a)
                for when in [w[1]] if w else [state_of(cell, name, i)]:
                    plain = a.replace(w[0], '') if w else a
                    plain = plain[:plain.rindex('\n      }')]      # the group's own end below
                    out.append(f'\n  cell ("{arc_cell(cell, name, i, when)}") {{\n    area : 1.0;'
                               + ''.join(inputs) + re.sub(r' function : "[^"]*";', '', head)
                               + plain + '\n      }\n    }\n  }')
    open(path, 'w').write('\n'.join(out) + '\n}\n')


_s = None


def state_of(cell, out, inp):
    return _s.when(_s.states(cell, out, inp)[0][0])


def design(data, cases, folder):
    s = sky130(data)
    wires, cells, ports, spef, sdc, points = [], [], [], [SPEF_HEAD], [], []
    for name, sts in read_cases(cases):
        ports.append(f'i_{name}')
        src, watch = f'i_{name}', []
        sdc.append(f'set_input_transition {sts[0][4]} [get_ports i_{name}]')
        for k, (c, o, i, e, slew, state, el) in enumerate(sts):
            u, net = f'u_{name}_{k}', f'n_{name}_{k}'
            cells.append(f'  {arc_cell(c, o, i, s.when(state))} {u} (.{i}({src}), .{o}({net}));')
            wires.append(net)
            oe = 'rise' if s.value(c, o, {**state, i: int(e == 'rise')}) else 'fall'
            node, conn, loads = {'drv': f'{u}:{o}'}, [f'*I {u}:{o} O'], []
            for j, w in enumerate([w for w in el if w[0] == 'L']):
                lc, lp = w[2].split('/')
                inst = f'l_{name}_{k}_{j}'
                if j == 0 and k + 1 < len(sts): inst = f'u_{name}_{k + 1}'
                else: cells.append(f'  {PREFIX}{lc} {inst} (.{lp}({net}));')
                node[w[1]] = f'{inst}:{lp}'
                conn.append(f'*I {inst}:{lp} I')
                loads.append((f'{inst}/{lp}', oe))
            at = lambda n: node.setdefault(n, f'{net}:{n[1:]}')
            caps = [(at(w[1]), w[2]) for w in el if w[0] == 'C']
            res = [(at(w[1]), at(w[2]), w[3]) for w in el if w[0] == 'R']
            spef += [f'*D_NET {net} {sum(float(x) for _, x in caps):.6g}', '*CONN', *conn, '*CAP',
                     *[f'{j + 1} {n} {x}' for j, (n, x) in enumerate(caps)], '*RES',
                     *[f'{j + 1} {a} {b} {x}' for j, (a, b, x) in enumerate(res)], '*END', '']
            watch += [(f'{u}/{o}', oe)] + (loads if len(sts) == 1 else loads[:1])
            src = net
        points.append(name + ' ' + ' '.join(f'{p} {e}' for p, e in watch))
    write = lambda f, lines: open(os.path.join(folder, f), 'w').write('\n'.join(lines) + '\n')
    write('design.v', [f'module top ({", ".join(ports)});', *[f'  input {p};' for p in ports],
                       *[f'  wire {w};' for w in wires], *cells, 'endmodule'])
    write('design.spef', spef)
    write('design.tcl', ['create_clock -name v -period 1000',
                         'set_input_delay 0 -clock v [all_inputs]', *sdc])
    write('points.txt', points)


# ---------------------------------------------------------------- errors
LEAST_NS = 0.02           # errors of shorter times are parts of this


def our_results(folder, points):
    """of write_timing_tables"""
    head, rows = None, {}
    for l in gzip.open(os.path.join(folder, 'pins.tsv.gz'), 'rt'):
        w = l.rstrip('\n').split('\t')
        if head is None: head = {n: i for i, n in enumerate(w)}
        else: rows[w[0]] = w
    r = {}
    for l in open(points):
        name, *w = l.split()
        at = [(rows[p], 'max' + e[0].upper()) for p, e in zip(w[::2], w[1::2])]
        r[name] = [1e9 * float(row[head[f'{e}_{k}']]) for row, e in at for k in ('arr', 'slew')]
    return r


def peer_results(path):
    return {l.split()[0]: [1e9 * float(x) for x in l.split()[1:]] for l in open(path)}


KINDS = ('driver delay', 'driver slew', 'load delay', 'load slew', 'chain arrival', 'chain slew')


def errors(have, want):
    """{kind: [(relative error, case)]}; of a chain at its end"""
    r = {k: [] for k in KINDS}
    for name, w in want.items():
        if name not in have: continue
        h = have[name]
        if name[0] == 'c':
            r[KINDS[4]].append((h[-2] / w[-2] - 1, name))
            r[KINDS[5]].append((h[-1] / w[-1] - 1, name))
            continue
        for i, (a, b) in enumerate(zip(h, w)):
            r[KINDS[(2 if i > 1 else 0) + i % 2]].append(((a - b) / max(b, LEAST_NS), name))
    return r


def figures(e):
    n, x = len(e), sorted(abs(v) for v, _ in e)
    mean = sum(v for v, _ in e) / n
    sigma = math.sqrt(sum((v - mean) ** 2 for v, _ in e) / n)
    values = (mean, sum(x) / n, sigma, x[min(n - 1, int(0.99 * n))], x[-1])
    return [n] + [f'{100 * v:.2f}' for v in values]


def report(cases, answers, points, results, worst):
    """Reports on several sets of cases, with points and results of each set, in order. results:
    NAME=PATH,.. with folders of ours and files of the peer."""
    want = []
    for c in cases:
        check = sums(c)
        want.append({k: v for a in answers if os.path.exists(a)
                     for k, v in read_answers(a, check).items()})
    if not any(want): print('no stored answers: -simulate gets them'); return
    print('| calculator | what | number | mean % | mean abs % | sigma % | 99th percentile %'
          ' | maximum % |')
    print('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |')
    for x in results:
        name, paths = x.split('=', 1)
        e = {k: [] for k in KINDS}
        for w, at, path in zip(want, points, paths.split(',')):
            have = our_results(path, at) if os.path.isdir(path) else peer_results(path)
            for k, v in errors(have, w).items(): e[k] += v
        for k in KINDS:
            if not e[k]: continue
            print('| ' + ' | '.join(map(str, [name, k] + figures(e[k]))) + ' |')
            if worst:
                most = sorted(e[k], key=lambda p: -abs(p[0]))[:worst]
                print('worst:', ', '.join(f'{c} {100 * v:+.1f} %' for v, c in most))


def main(a):
    if a[:1] in (['stages'], ['nets'], ['chains']) and len(a) == 4:
        for lines in globals()[a[0]](a[1], int(a[2]), int(a[3])): print('\n'.join(lines))
    elif a[:1] == ['simulate'] and len(a) in (4, 6):
        simulate(a[1], a[2], a[3], int(a[5]) if len(a) == 6 else 1)
    elif a[:1] == ['alone'] and len(a) == 5: alone(*a[1:])
    elif a[:1] == ['shapes'] and len(a) > 5: shapes(*a[1:])
    elif a[:1] == ['library'] and len(a) == 4:
        global _s
        _s = sky130(a[1])
        library(a[2], a[3])
    elif a[:1] == ['design'] and len(a) == 4: design(a[1], a[2], a[3])
    elif a[:1] == ['report'] and len(a) > 5:
        report(a[1].split(','), a[2].split(','), a[3].split(','), a[5:], int(a[4]))
    else: sys.exit(__doc__)


if __name__ == '__main__': main(sys.argv[1:])
