#!/usr/bin/env python3
"""How far our times are from the published slacks and paths of a commercial timer.

  published.py DESIGNS DESIGN=FOLDER ...     DESIGNS: the folder `data/designs` of the reference
                                             data; FOLDER: of write_timing_tables
  published.py -scatter DESIGNS DESIGN ...   how far the published times are from each other

Prints a row of a table for each design: endpoints, all and without the short paths (published
slack above SHORT ns); stages of the worst paths, from pin to pin; setup margins of these paths.
Stages of less than 5 ps are left out, as the published times have steps of 1 ps.
"""
import gzip, json, math, os, sys

SHORT = 1.0          # ns
EDGES = {'Rising': 'R', 'Falling': 'F'}
LEAST = 0.005


def tables(folder):
    head, rows = None, {}
    for line in gzip.open(os.path.join(folder, 'pins.tsv.gz'), 'rt'):
        w = line.rstrip('\n').split('\t')
        if head is None: head = {n: i for i, n in enumerate(w)}
        else: rows[w[0]] = w
    number = lambda text: float(text) * 1e9 if text not in ('-', 'INF', '') else None
    return lambda pin, field: number(rows[pin][head[field]]) if pin in rows else None


def read(designs, design, what):
    return json.load(gzip.open(os.path.join(designs, design, f'reference_{what}.json.gz')))


def slacks(designs, design):
    r = read(designs, design, 'endpoint_slacks')
    return {pin: float(s) for pin, s in zip(r['pins'], r['slacks'])}


def paths(designs, design):
    """[(pin, edge, published arrival)] of data and of clock paths"""
    r = []
    for d in worst(designs, design):
        for part in ('pathList', 'clockPathList'):
            r.append([(d['startPoint'] + '/' + clock_pin(d) if p['pin'] == 'clk' else p['pin'],
                       EDGES[p['status']], float(p['AAT']))
                      for p in d[part] if p['pin'] != 'core_clock'])
    return r


def worst(designs, design): return read(designs, design, '5_worst')['detail'].values()
def clock_pin(d): return d['clockPathList'][-1]['pin'].split('/')[-1]


def end_errors(designs, design, at):
    """{end: (ours - published) ps}"""
    least = lambda pin: min(x for x in (at(pin, f'max{e}_slk') for e in 'RF') if x is not None)
    return {pin: 1e3 * (least(pin) - s) for pin, s in slacks(designs, design).items()}


def setup_errors(designs, design, at):
    """(ours - published) ps; the published period has steps of 1 ps, too"""
    r = []
    for d in worst(designs, design):
        end, edge = d['endPoint'], EDGES[d['pathList'][-1]['status']]
        clock = at(f'{end}/{clock_pin(d)}', 'maxR_arr')
        margin = float(d['clockPeriod']) + clock - at(end + '/D', f'max{edge}_req')
        r.append(1e3 * (margin - float(d['setupTime'])))
    return r


def stage_errors(designs, design, at):
    """[(ours / published - 1, pin)]"""
    r = []
    for path in paths(designs, design):
        for (pin, edge, arrival), (before, edge0, arrival0) in zip(path[1:], path):
            a, b = at(pin, f'max{edge}_arr'), at(before, f'max{edge0}_arr')
            delay = arrival - arrival0
            if delay > LEAST and a is not None and b is not None:
                r.append(((a - b) / delay - 1, pin))
    return r


def mean(x): return sum(x) / len(x)


def absolute(x): return mean([abs(e) for e in x])


HEAD = ('design', 'endpoints', 'mean ps', 'mean abs ps', 'without short paths', 'stages', 'mean %',
        'mean abs %', 'setup: mean abs ps')


def line(cells): print('| ' + ' | '.join(map(str, cells)) + ' |')


def report(designs, design, folder):
    at = tables(folder)
    ends, published = end_errors(designs, design, at), slacks(designs, design)
    usual = [e for pin, e in ends.items() if published[pin] < SHORT]
    stages = [100 * e for e, _ in stage_errors(designs, design, at)]
    numbers = [mean(ends.values()), absolute(ends.values()), absolute(usual), len(stages),
               mean(stages), absolute(stages), absolute(setup_errors(designs, design, at))]
    line([design, len(ends)] + [x if isinstance(x, int) else f'{x:.2f}' for x in numbers])


# One time is published once for each path that has it.
def scatter(designs, design):
    seen = {}
    for path in paths(designs, design):
        for (pin, edge, arrival), (before, _, arrival0) in zip(path[1:], path):
            seen.setdefault((before, pin, edge), []).append(arrival - arrival0)
    parts = []
    for times in seen.values():
        middle = mean(times)
        if len(times) > 1 and middle > 0.1001:
            parts.append(sum((x / middle - 1) ** 2 for x in times) / (len(times) - 1))
    if parts:
        print(f'{design}: {len(parts)} stages of more than 0.1 ns in several paths, '
              f'sigma {100 * math.sqrt(mean(parts)):.2f} %')


def main(a):
    if a[:1] == ['-scatter'] and len(a) > 2:
        for design in a[2:]: scatter(a[1], design)
    elif a[:1] != ['-scatter'] and len(a) > 1:
        line(HEAD)
        line(['---'] + ['---:'] * (len(HEAD) - 1))
        for x in a[1:]: report(a[0], *x.split('=', 1))
    else: sys.exit(__doc__)


if __name__ == '__main__': main(sys.argv[1:])
