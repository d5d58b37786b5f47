;; A plain core module: no component, no WASI, nothing but functions of numbers. Each export is a tool, and a result says
;; which module and function it comes from. Names of parameters come from here; what a core module cannot say about
;; itself is in test-module.tools.yaml.
(module $test-module
  (func (export "add") (param $a i32) (param $b i32) (result i32)
    (i32.add (local.get $a) (local.get $b)))

  (func (export "subtract") (param $a i32) (param $b i32) (result i32)
    (i32.sub (local.get $a) (local.get $b)))

  (func (export "multiply") (param $a i64) (param $b i64) (result i64)
    (i64.mul (local.get $a) (local.get $b)))

  ;; Traps on zero, as integer division does.
  (func (export "quotient") (param $a i32) (param $b i32) (result i32)
    (i32.div_s (local.get $a) (local.get $b)))

  (func (export "power") (param $base f64) (param $exponent i32) (result f64)
    (local $result f64)
    (local $left i32)
    (local.set $result (f64.const 1))
    (local.set $left
      (select
        (local.get $exponent)
        (i32.sub (i32.const 0) (local.get $exponent))
        (i32.gt_s (local.get $exponent) (i32.const 0))))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $left)))
        (if (i32.and (local.get $left) (i32.const 1))
          (then (local.set $result (f64.mul (local.get $result) (local.get $base)))))
        (local.set $base (f64.mul (local.get $base) (local.get $base)))
        (local.set $left (i32.shr_u (local.get $left) (i32.const 1)))
        (br $next)))
    (if (result f64) (i32.lt_s (local.get $exponent) (i32.const 0))
      (then (f64.div (f64.const 1) (local.get $result)))
      (else (local.get $result))))

  (func (export "square-root") (param $x f64) (result f64)
    (f64.sqrt (local.get $x)))

  ;; Greatest common divisor, by Euclid.
  (func (export "gcd") (param $a i32) (param $b i32) (result i32)
    (local $rest i32)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $b)))
        (local.set $rest (i32.rem_u (local.get $a) (local.get $b)))
        (local.set $a (local.get $b))
        (local.set $b (local.get $rest))
        (br $next)))
    (local.get $a))
)
