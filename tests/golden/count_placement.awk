# Counts a placement on its own, for comparison with report_placement: LEF files (plain), then a DEF
# on standard input or as the last file.  Prints: area of core cells that are no fillers, area of
# rows less blocks (rows and blocks as they are in the reference designs: rows apart from each
# other, each block wholly over rows or counted by the rows it cuts), and the sum of half
# perimeters, all in microns.
#   awk -f count_placement.awk a.lef b.lef c.def
function trim_name(t) { gsub(/\\/, "", t); return t }
function low(a, b) { return a < b ? a : b }
function high(a, b) { return a > b ? a : b }
# --- LEF: one word at a time ---------------------------------------------------------------------
function lef(t) {
  if (want == "definitions") { if (t == "PROPERTYDEFINITIONS") want = ""; return }
  if (t == "PROPERTYDEFINITIONS") { want = "definitions"; return }
  if (want == "end") {
    if (inpin && t == pin) inpin = 0; else if (inmacro && t == macro) inmacro = 0
    want = ""; return
  }
  if (want != "") { got[++n] = t; if (t == ";" || (want == "one" && n == 1)) { lef_done() } return }
  if (t == "END") { if (inobs || inport) { inobs = inport = 0 } else want = "end"; return }
  if (t == "MACRO" && !inmacro) { start("one", "macro"); return }
  if (t == "PIN" && inmacro && !inpin) { start("one", "pin"); return }
  if (t == "PORT") { inport = 1; return }
  if (t == "OBS" && inmacro) { inobs = 1; return }
  if (t == "LAYER" && !inmacro) { start("one", "deflayer"); return }
  if (t == "SITE" && !inmacro) { start("one", "site"); return }
  start("statement", t)
}
function start(w, what) { want = w; n = 0; keyword = what }
function lef_done() {
  want = ""
  if (keyword == "macro") { macro = got[1]; inmacro = 1; ox[macro] = oy[macro] = 0 }
  else if (keyword == "pin") { pin = got[1]; inpin = 1; key = macro " " pin; px0[key] = ""; }
  else if (keyword == "deflayer") current = got[1]
  else if (keyword == "site") current = got[1]
  else if (keyword == "TYPE" && !inmacro && got[1] == "CUT") cut[current] = 1
  else if (keyword == "LAYER") layer = got[1]
  else if (keyword == "SIZE" && inmacro) { w[macro] = got[1]; h[macro] = got[3] }
  else if (keyword == "SIZE") { sw[current] = got[1]; sh[current] = got[3] }
  else if (keyword == "CLASS" && inmacro && !inpin) class[macro] = got[1] " " got[2]
  else if (keyword == "ORIGIN" && inmacro) { ox[macro] = got[1]; oy[macro] = got[2] }
  else if (keyword == "RECT" && inpin && inport && !(layer in cut)) {
    if (px0[key] == "") { px0[key] = py0[key] = 1e30; px1[key] = py1[key] = -1e30 }
    px0[key] = low(px0[key], low(got[1], got[3])); px1[key] = high(px1[key], high(got[1], got[3]))
    py0[key] = low(py0[key], low(got[2], got[4])); py1[key] = high(py1[key], high(got[2], got[4]))
  }
}
# --- DEF: one statement at a time, which is v[1]..v[m] -------------------------------------------
function def(t) {
  v[++m] = t
  if (t == ";") { def_done(); m = 0 }
  else if (m == 2 && v[1] == "END") { section = ""; m = 0 }
}
function def_done(  i) {
  if (v[1] == "UNITS") units = v[4]
  else if (v[1] == "ROW") row()
  else if (v[1] ~ /^(COMPONENTS|PINS|NETS|SPECIALNETS|VIAS)$/) section = v[1]
  else if (v[1] ~ /^(BLOCKAGES|REGIONS|GROUPS|NONDEFAULTRULES|FILLS)$/) section = v[1]
  else if (section == "COMPONENTS") component()
  else if (section == "PINS") port()
  else if (section == "NETS") net()
}
function row() {
  rows++
  rx0[rows] = v[4] / units; ry0[rows] = v[5] / units
  ry1[rows] = ry0[rows] + sh[v[3]]
  rx1[rows] = rx0[rows] + (v[8] - 1) * v[12] / units + sw[v[3]]
  rowarea += (rx1[rows] - rx0[rows]) * (ry1[rows] - ry0[rows])
  siteheight = sh[v[3]]
}
function component(  i, name) {
  name = trim_name(v[2]); master[name] = v[3]
  for (i = 4; i < m; i++)
    if (v[i] == "PLACED" || v[i] == "FIXED") {
      cx[name] = v[i + 2] / units; cy[name] = v[i + 3] / units; co[name] = v[i + 5]
    }
  if (class[v[3]] ~ /^(BLOCK|RING)/ && h[v[3]] != siteheight) block(name)
  else if (class[v[3]] !~ /SPACER/) area += w[v[3]] * h[v[3]]
}
function block(name,  i, width, height, x) {
  if (!(name in cx)) return
  width = w[master[name]]; height = h[master[name]]
  if (co[name] ~ /[WE]/) { x = width; width = height; height = x }
  for (i = 1; i <= rows; i++) {
    x = low(rx1[i], cx[name] + width) - high(rx0[i], cx[name])
    if (x > 0 && low(ry1[i], cy[name] + height) > high(ry0[i], cy[name]))
      rowarea -= x * (low(ry1[i], cy[name] + height) - high(ry0[i], cy[name]))
  }
}
# A port is at the centre of the box around the shapes of all its parts.
function port(  i, k, x, y, x0, y0, x1, y1, name, bx0, by0, bx1, by1, shapes) {
  name = trim_name(v[2]); bx0 = by0 = 1e30; bx1 = by1 = -1e30; shapes = 0
  for (i = 3; i < m; i++) {
    if (v[i] == "LAYER") {
      k = i + 2; while (v[k] != "(") k++
      shapes++
      sx0[shapes] = v[k + 1]; sy0[shapes] = v[k + 2]; sx1[shapes] = v[k + 5]; sy1[shapes] = v[k + 6]
    }
    if (v[i] == "PLACED" || v[i] == "FIXED") {
      for (k = 1; k <= shapes; k++) {
        turn(v[i + 5], sx0[k], sy0[k]); x0 = tx; y0 = ty
        turn(v[i + 5], sx1[k], sy1[k]); x1 = tx; y1 = ty
        bx0 = low(bx0, low(x0, x1) + v[i + 2]); bx1 = high(bx1, high(x0, x1) + v[i + 2])
        by0 = low(by0, low(y0, y1) + v[i + 3]); by1 = high(by1, high(y0, y1) + v[i + 3])
      }
      shapes = 0
    }
  }
  if (bx1 > -1e30) { portx[name] = (bx0 + bx1) / 2 / units; porty[name] = (by0 + by1) / 2 / units }
}
# Around (0, 0).
function turn(o, x, y) {
  tx = x; ty = y
  if (o ~ /W/) { tx = -y; ty = x }
  else if (o ~ /S/) { tx = -x; ty = -y }
  else if (o ~ /E/) { tx = y; ty = -x }
  if (o ~ /^F/) tx = -tx
}
function net(  i, name, key, x, y, x0, y0, x1, y1, placed, c) {
  x0 = y0 = 1e30; x1 = y1 = -1e30; placed = 0
  for (i = 3; v[i] == "("; i += 4) {
    name = trim_name(v[i + 1])
    if (v[i + 1] == "PIN") {
      c = trim_name(v[i + 2]); if (!(c in portx)) continue
      x = portx[c]; y = porty[c]
    } else {
      if (!(name in cx)) continue
      key = master[name] " " trim_name(v[i + 2])
      if (px0[key] == "") { x = w[master[name]] / 2; y = h[master[name]] / 2 }
      else {
        x = (px0[key] + px1[key]) / 2 + ox[master[name]]
        y = (py0[key] + py1[key]) / 2 + oy[master[name]]
      }
      # about the centre of the outline
      turn(co[name], x - w[master[name]] / 2, y - h[master[name]] / 2)
      x = cx[name] + tx + (co[name] ~ /[WE]/ ? h[master[name]] : w[master[name]]) / 2
      y = cy[name] + ty + (co[name] ~ /[WE]/ ? w[master[name]] : h[master[name]]) / 2
    }
    placed++
    x0 = low(x0, x); x1 = high(x1, x); y0 = low(y0, y); y1 = high(y1, y)
  }
  if (placed > 1) length_sum += x1 - x0 + y1 - y0
}
FNR == 1 { files++; isdef = files == ARGC - 1 }
{
  sub(/(^|[ \t])#.*/, "")
  for (f = 1; f <= NF; f++) { if (isdef) def($f); else if ($f ~ /^".*"$/ || $f !~ /^"/) lef($f) }
}
END { printf "%.4f %.4f %.4f\n", area, rowarea, length_sum }
