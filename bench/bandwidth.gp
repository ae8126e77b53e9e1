# SPDX-License-Identifier: Apache-2.0
# Rates and, below, their ratio, of one pair of buffers and of a window of 64 MiB. csv and svg are
# given with -e.
set terminal svg size 900,600 font "sans,12" background rgb "white"
set output svg
set datafile separator ","
set multiplot layout 2,2
set logscale x 2
set xrange [48:90000000]
set xtics ("64 B" 64, "1 KiB" 1024, "16 KiB" 16384, "256 KiB" 262144, "4 MiB" 4194304, "64 MiB" 67108864)
set grid ytics xtics lc rgb "#dddddd"
set lmargin 8

set yrange [0:*]
set ylabel "GB/s"
set title "one pair of buffers"
plot csv skip 1 using 1:3 with linespoints lw 2 pt 6 lc rgb "#888888" title "memcpy", \
     csv skip 1 using 1:2 with linespoints lw 2 pt 7 lc rgb "#0060ad" title "tasks"
set title "cycling over 64 MiB"
plot csv skip 1 using 1:6 with linespoints lw 2 pt 6 lc rgb "#888888" title "memcpy", \
     csv skip 1 using 1:5 with linespoints lw 2 pt 7 lc rgb "#0060ad" title "tasks"

set ylabel "tasks to memcpy"
unset title
unset key
plot 1 lc rgb "#888888", csv skip 1 using 1:4 with linespoints lw 2 pt 7 lc rgb "#0060ad"
plot 1 lc rgb "#888888", csv skip 1 using 1:7 with linespoints lw 2 pt 7 lc rgb "#0060ad"
unset multiplot
